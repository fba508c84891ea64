/** What follows from the table of a memory's keys. */

import { FIELDS } from "./fields";

export const ID_KEY = "memory_id";

/** The keys of a memory's frontmatter, in the order in which a new note is written. */
export const KEY_ORDER: readonly string[] = Object.keys(FIELDS);

/** Times, which a vault may hold as dates without a time. */
export const TIME_KEYS: ReadonlySet<string> = new Set(KEY_ORDER.filter((key) => FIELDS[key] === "datetime"));

/** Their values are written without quotation marks, as the property types date and date & time have them. */
export const DATE_KEYS: ReadonlySet<string> = new Set(
  KEY_ORDER.filter((key) => FIELDS[key] === "date" || FIELDS[key] === "datetime"),
);

/** Properties that people need not see; a note can hide them. */
export const BOOKKEEPING_KEYS: readonly string[] = [
  "relation_details",
  ...KEY_ORDER.slice(KEY_ORDER.indexOf("fades_on")),
  "origin",
];

const RANK: ReadonlyMap<string, number> = new Map(KEY_ORDER.map((key, position) => [key, position]));

/** Return the place of a key in the note format; unknown ones come last. */
export function rank(key: string): number {
  return RANK.get(key) ?? RANK.size;
}

/** Tell whether the note format knows the key. */
export function isOwn(key: string): boolean {
  return RANK.has(key);
}
