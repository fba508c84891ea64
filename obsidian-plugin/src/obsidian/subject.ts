/** What Obsidian knows about the note that is being read. */

import { getAllTags, parseFrontMatterAliases, type App, type TFile } from "obsidian";
import { entityList, tagList } from "../notes/values";
import type { Subject } from "./related";

/** Collect names, tags, entities and links of a note. */
export function subjectOf(app: App, file: TFile): Subject {
  const cache = app.metadataCache.getFileCache(file);
  const aliases = parseFrontMatterAliases(cache?.frontmatter ?? null) ?? [];
  const entities: unknown = cache?.frontmatter?.entities;
  return {
    path: file.path,
    names: [file.basename, ...aliases],
    tags: cache ? tagList(getAllTags(cache) ?? []) : [],
    entities: entityList(entities),
    linksTo: new Set(Object.keys(app.metadataCache.resolvedLinks[file.path] ?? {})),
    linkedFrom: linkedFrom(app, file.path),
  };
}

function linkedFrom(app: App, path: string): Set<string> {
  const sources = Object.entries(app.metadataCache.resolvedLinks);
  return new Set(sources.filter(([, targets]) => path in targets).map(([source]) => source));
}
