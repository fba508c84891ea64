/** Note and memory: the only place that knows the names of the properties. */

import {
  type Instant,
  MAX_STRENGTH,
  type Memory,
  RELATION_TYPES,
  type Relation,
  type Tier,
  type Usage,
} from "../domain/memory";
import { fadesAt, type Policy } from "../domain/scoring";
import { readInstant, writeDay, writeInstant, type Zone } from "./dates";
import type { Properties, PropertyChanges, PropertyValue } from "./frontmatter";
import { linkTarget } from "./links";

/** Properties that people need not see; the note can hide them. */
export const BOOKKEEPING_KEYS = [
  "relation_details",
  "origin",
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
  "memory_id",
] as const;

/** All properties of the note format, in the order in which a new note is written. */
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
  "memory_id",
];

export const OWN_KEYS: ReadonlySet<string> = new Set(KEY_ORDER);

const MEMORY_ID = /^[A-Za-z0-9_-]{1,64}$/;
const LARGEST_COUNT = 1_000_000_000;

/** Return the identity that makes a note a memory, or null for an ordinary note. */
export function memoryId(properties: Properties): string | null {
  const value = properties.memory_id;
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && MEMORY_ID.test(text.trim()) ? text.trim() : null;
}

/** Read the memory of a note; unreadable values count as their defaults, `fallback` as its date of creation. */
export function readMemory(properties: Properties, title: string, zone: Zone, fallback: Instant): Memory | null {
  const id = memoryId(properties);
  if (id === null) return null;
  const aliases = texts(properties.aliases);
  return {
    id,
    title: titleOf(title, aliases),
    usage: readUsage(properties, zone, fallback),
    tags: readTags(properties.tags),
    aliases,
    entities: texts(properties.entities).map(linkTarget),
    relations: readRelations(properties),
    project: textOf(properties.project),
    source: textOf(properties.source),
    context: textOf(properties.context),
    origin: textOf(properties.origin),
    session: textOf(properties.session),
  };
}

/** Return the facts that the score is derived from. */
export function readUsage(properties: Properties, zone: Zone, fallback: Instant): Usage {
  const lastUsed = readInstant(properties.last_used, zone);
  const created = readInstant(properties.created, zone) ?? lastUsed ?? fallback;
  return {
    created,
    lastUsed: lastUsed ?? created,
    useCount: count(properties.use_count, 1),
    daysUsed: count(properties.days_used, 1),
    strength: number(properties.strength, 0, MAX_STRENGTH) ?? 1,
    pinned: isTrue(properties.pinned),
    halfLifeDays: positive(properties.half_life_days),
    promoted: readInstant(properties.promoted, zone),
    reviewCount: count(properties.review_count, 0),
    lastReview: readInstant(properties.last_review, zone),
    crossDomainCount: count(properties.cross_domain_count, 0),
  };
}

/** Return the properties that a change of usage changes, the projection `fades_on` included. */
export function usageChanges(
  before: Usage,
  after: Usage,
  context: { readonly tier: Tier; readonly policy: Policy; readonly zone: Zone },
): PropertyChanges {
  const { zone } = context;
  const changes: Record<string, PropertyValue> = {};
  if (after.lastUsed !== before.lastUsed) changes.last_used = writeInstant(after.lastUsed, zone);
  if (after.useCount !== before.useCount) changes.use_count = after.useCount;
  if (after.daysUsed !== before.daysUsed) changes.days_used = after.daysUsed;
  if (after.strength !== before.strength) changes.strength = tidy(after.strength);
  if (after.reviewCount !== before.reviewCount) changes.review_count = after.reviewCount;
  if (after.lastReview !== null && after.lastReview !== before.lastReview) {
    changes.last_review = writeInstant(after.lastReview, zone);
  }
  if (after.crossDomainCount !== before.crossDomainCount) changes.cross_domain_count = after.crossDomainCount;
  if (after.promoted !== null && after.promoted !== before.promoted) {
    changes.promoted = writeInstant(after.promoted, zone);
  }
  if (after.pinned !== before.pinned) changes.pinned = after.pinned;
  changes.fades_on = fadesOn(after, context.tier, context.policy, zone);
  return changes;
}

/** Return the day on which a short-term memory fades, null where there is none. */
export function fadesOn(usage: Usage, tier: Tier, policy: Policy, zone: Zone): string | null {
  const at = tier === "short-term" ? fadesAt(usage, policy) : null;
  return at === null ? null : writeDay(at, zone);
}

/** Return a number without the noise of binary fractions, as it is written. */
export function tidy(value: number): number {
  return Number(value.toFixed(10));
}

/** Tell whether the note asks to be left out: tagged `private` (or below it), or `mnemex: false`. */
export function isHidden(properties: Properties): boolean {
  const hidden = readTags(properties.tags).some((tag) => /^private(\/|$)/i.test(tag));
  return hidden || properties.mnemex === false;
}

/** Read tags or aliases: a list, a comma text, a single word, numbers, nothing; without `#`. */
export function readTags(value: unknown): string[] {
  const parts = typeof value === "string" ? value.split(/[,\s]+/) : texts(value);
  return parts.map((part) => part.trim().replace(/^#+/, "")).filter((part) => part !== "");
}

function texts(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? flattened(value) : [value];
  return items.map(textOf).filter((text): text is string => text !== null);
}

// an unquoted wikilink reads as a list of a list
function flattened(items: readonly unknown[]): unknown[] {
  return items.flatMap((item) => (Array.isArray(item) ? item.flat(3) : [item]));
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

// a file name is a legal form of the title; the alias that was written with it holds the full one
function titleOf(fileTitle: string, aliases: readonly string[]): string {
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  const start = bare(fileTitle);
  const full = aliases.find((alias) => start !== "" && bare(alias).startsWith(start));
  return full ?? fileTitle;
}

function readRelations(properties: Properties): Relation[] {
  return RELATION_TYPES.flatMap((type) => texts(properties[type]).map((text) => ({ type, target: linkTarget(text) })));
}

function number(value: unknown, low: number, high: number): number | null {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && read >= low && read <= high ? read : null;
}

function count(value: unknown, low: number): number {
  const read = number(value, low, LARGEST_COUNT);
  return read !== null && Number.isInteger(read) ? read : low;
}

function positive(value: unknown): number | null {
  const read = number(value, 0, Number.MAX_VALUE);
  return read !== null && read > 0 ? read : null;
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === "string" && value.trim().toLowerCase() === "true");
}
