/** The keys of a memory's frontmatter, in the order in which a new note is written. */

import { RELATION_TYPES } from "../domain/memory";

export const ID_KEY = "memory_id";

/** Their values are written without quotation marks, as the property types date and date & time have them. */
export const DATE_KEYS: ReadonlySet<string> = new Set(["fades_on", "created", "last_used", "last_review", "promoted"]);

export const KEY_ORDER: readonly string[] = [
  "tags",
  "aliases",
  "entities",
  "project",
  ...RELATION_TYPES,
  "relation_details",
  "source",
  "context",
  "origin",
  "pinned",
  "half_life_days",
  "fades_on",
  "created",
  "last_used",
  "use_count",
  "days_used",
  "strength",
  "review_count",
  "last_review",
  "cross_domain_count",
  "promoted",
  "session",
  ID_KEY,
];

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
