/** What Obsidian knows about the note that is being read. */

import { getAllTags, type App, type TFile } from "obsidian";
import { asGiven } from "../notes/given";
import { memoryId } from "../notes/note";
import { aliasList, entityList, tagList, textOf } from "../notes/values";
import type { Subject } from "./related";

/** Collect names, tags, entities and links of a note. */
export function subjectOf(app: App, file: TFile): Subject {
  const cache = app.metadataCache.getFileCache(file) ?? {};
  const properties = cache.frontmatter ?? {};
  // the server writes only memories in its own way
  const origin = memoryId(properties) === null ? null : textOf(properties.origin);
  const given = (text: string): string => asGiven(text, origin);
  return {
    path: file.path,
    names: [file.basename, ...aliasList(properties.aliases).map(given)],
    headings: (cache.headings ?? []).map(({ heading }) => given(heading)),
    tags: tagList(getAllTags(cache)),
    entities: entityList(properties.entities).map(given),
    linksTo: new Set(Object.keys(app.metadataCache.resolvedLinks[file.path] ?? {})),
    linkedFrom: linkedFrom(app, file.path),
  };
}

function linkedFrom(app: App, path: string): Set<string> {
  const sources = Object.entries(app.metadataCache.resolvedLinks);
  return new Set(sources.filter(([, targets]) => path in targets).map(([source]) => source));
}
