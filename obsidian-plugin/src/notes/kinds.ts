/** What a note is for us, decided by its path and its frontmatter. */

import { memoryId } from "./note";
import type { Properties } from "./frontmatter";
import { checkboxOf, propertyTags } from "./values";

/** The first that applies. */
export type NoteKind = "foreign" | "private" | "generated" | "memory" | "ordinary";

/** Return the kind of a note; `tags` are those of its text, if they are known. */
export function kindOf(path: string, properties: Properties, tags: readonly string[] = []): NoteKind {
  if (isForeign(path, properties)) return "foreign";
  if (saysNo(properties) || hasPrivateTag([...propertyTags(properties), ...tags])) return "private";
  if (typeof properties.mnemex === "string" && properties.mnemex.trim() !== "") return "generated";
  return memoryId(properties) === null ? "ordinary" : "memory";
}

// drawings and boards are other plugins' files, whatever their properties say
function isForeign(path: string, properties: Properties): boolean {
  if (path.toLowerCase().endsWith(".excalidraw.md")) return true;
  return "excalidraw-plugin" in properties || "kanban-plugin" in properties;
}

function saysNo(properties: Properties): boolean {
  return Object.entries(properties).some(([key, value]) => key.toLowerCase() === "mnemex" && checkboxOf(value) === false);
}

function hasPrivateTag(tags: readonly string[]): boolean {
  return tags.some((tag) => /^#?private(\/|$)/i.test(tag));
}
