/** Values of frontmatter in all the spellings people use: lists, tags, wikilinks, numbers, yes and no. */

const MEMORY_ID = /^[A-Za-z0-9_-]{1,64}$/;
const WIKILINK = /^!?\[\[([^[\]|\n]+?)\\?(?:\|[^\n]*)?\]\]$/;
const NUMBER = /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const YES = new Set(["true", "yes", "on", "y", "1"]);
const NO = new Set(["false", "no", "off", "n", "0"]);

/** Return the id that a value holds, null if it is none; digits alone are an id, too. */
export function idOf(value: unknown): string | null {
  const text = typeof value === "number" && Number.isInteger(value) ? String(value) : value;
  return typeof text === "string" && MEMORY_ID.test(text) ? text : null;
}

/** Return the texts of a list or single value; numbers become texts, what is nested or empty is left out. */
export function texts(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = items.map((item) => {
    if (typeof item === "boolean" || typeof item === "number") return String(item);
    return typeof item === "string" ? item.trim() : "";
  });
  return unique(found.filter((text) => text !== ""));
}

/** Return tags without `#` from a list, a text with commas or spaces, a number or nothing. */
export function tagList(value: unknown): string[] {
  const parts = typeof value === "string" ? value.split(/[,\s]+/) : texts(value);
  return unique(parts.map((part) => part.trim().replace(/^#+/, "")).filter((tag) => tag !== ""));
}

/** Return the tags of all keys that Obsidian took for tags in any version: `tags`, `Tags`, `tag`. */
export function propertyTags(properties: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(properties).filter((key) => /^tags?$/i.test(key));
  return unique(keys.flatMap((key) => tagList(properties[key])));
}

/** Return aliases from a list, a text with commas, a number or nothing. */
export function aliasList(value: unknown): string[] {
  return texts(typeof value === "string" ? value.split(",") : value);
}

/** Return the names in a list of texts and wikilinks, without brackets. */
export function entityList(value: unknown): string[] {
  return unique(texts(withoutNestedLinks(value)).map((text) => linkName(text) ?? text));
}

/** Return the targets of a list of wikilinks, also of one that was written without quotation marks. */
export function targetsOf(value: unknown): string[] {
  const names = texts(withoutNestedLinks(value)).map(linkName);
  return unique(names.filter((name): name is string => name !== null));
}

/** Return the target of a text that is one wikilink, null if it is none. */
export function linkName(text: string): string | null {
  const name = WIKILINK.exec(text.trim())?.[1]?.trim();
  return name === undefined || name === "" ? null : name;
}

/** Return a text, of a list its items separated by commas, null if there is none. */
export function textOf(value: unknown): string | null {
  const text = texts(value).join(", ");
  return text === "" ? null : text;
}

/** Return a finite number, also from a quoted one. */
export function numberOf(value: unknown): number | null {
  const read = typeof value === "string" && NUMBER.test(value.trim()) ? Number(value.trim()) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : null;
}

/** Return what a checkbox or a word for yes or no says, null if it says neither. */
export function checkboxOf(value: unknown): boolean | null {
  const word = (typeof value === "string" || typeof value === "boolean" || typeof value === "number" ? String(value) : "")
    .trim()
    .toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

/** Turn the nested lists that YAML makes of an unquoted `[[link]]` back into links. */
function withoutNestedLinks(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items: readonly unknown[] = value;
  const [only] = items;
  if (items.length === 1 && Array.isArray(only) && !only.some(Array.isArray)) return [bracketed(only)];
  return items.map((item) => (Array.isArray(item) && item.length === 1 ? bracketed(item[0]) : item));
}

function bracketed(item: unknown): string {
  return `[[${texts(item).join(", ")}]]`;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
