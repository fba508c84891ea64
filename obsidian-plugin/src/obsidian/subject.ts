/** What Obsidian knows about the note that is being read. */

import { getAllTags, type App, type TFile } from "obsidian";
import { aliasList, entityList, tagList } from "../notes/values";
import type { Subject } from "./related";

/** Collect names, tags, entities and links of a note. */
export function subjectOf(app: App, file: TFile): Subject {
  const cache = app.metadataCache.getFileCache(file) ?? {};
  const properties = cache.frontmatter ?? {};
  return {
    path: file.path,
    names: [file.basename, ...aliasList(properties.aliases)],
    tags: tagList(getAllTags(cache)),
    entities: entityList(properties.entities),
    linksTo: new Set(Object.keys(app.metadataCache.resolvedLinks[file.path] ?? {})),
    linkedFrom: linkedFrom(app, file.path),
  };
}

function linkedFrom(app: App, path: string): Set<string> {
  const sources = Object.entries(app.metadataCache.resolvedLinks);
  return new Set(sources.filter(([, targets]) => path in targets).map(([source]) => source));
}
