/** What a name stands for in this vault, as the folder or the tags of its note say. */

import { getAllTags, type App } from "obsidian";

const PERSON = /^(?:people|persons?|contacts?|family|friends|team|personen|leute|personnes|personas)$/i;
const PLACE = /^(?:places?|locations?|cities|countries|orte|lieux|lugares)$/i;

/** Return whether a name is that of a person or a place, null if the vault does not say. */
export function kindOfName(app: App, name: string): "person" | "place" | null {
  const file = app.metadataCache.getFirstLinkpathDest(name, "");
  if (!file) return null;
  const tags = getAllTags(app.metadataCache.getFileCache(file) ?? {}) ?? [];
  const words = [...file.path.split("/").slice(0, -1), ...tags.flatMap((tag) => tag.replace("#", "").split("/"))];
  if (words.some((word) => PERSON.test(word))) return "person";
  return words.some((word) => PLACE.test(word)) ? "place" : null;
}
