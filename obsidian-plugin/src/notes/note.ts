/** A note and the memory in it: the only place that knows what the keys of a note mean. */

import {
  type Instant,
  type Kind,
  KINDS,
  MAX_STRENGTH,
  type Memory,
  RELATION_TYPES,
  type Relation,
  type Tier,
  type Usage,
} from "../domain/memory";
import { fadesAt, type Policy } from "../domain/scoring";
import { readInstant, writeDay, writeInstant, type Zone } from "./dates";
import type { Properties } from "./frontmatter";
import { asGiven } from "./given";
import { ID_KEY } from "./keys";
import { titleOf } from "./names";
import { aliasList, checkboxOf, entityList, idOf, numberOf, tagList, targetsOf, textOf } from "./values";
import type { Value } from "./yaml-core";

const MAX_COUNT = 1_000_000;
// more digits would only show the noise of binary fractions
const DIGITS = 6;

/** Return the identity that makes a note a memory, null for an ordinary note. */
export function memoryId(properties: Properties): string | null {
  return idOf(properties[ID_KEY]);
}

/** Read the memory of a note named `stem`, its texts as they were given; `undated` stands for dates that are missing. */
export function readMemory(properties: Properties, stem: string, zone: Zone, undated: Instant): Memory | null {
  const id = memoryId(properties);
  if (id === null) return null;
  const origin = textOf(properties.origin);
  const given = (text: string): string => asGiven(text, origin);
  const said = (value: unknown): string | null => {
    const text = textOf(value);
    return text === null ? null : given(text);
  };
  const aliases = aliasList(properties.aliases).map(given);
  const title = titleOf(stem, aliases);
  return {
    id,
    title,
    usage: readUsage(properties, zone, undated),
    tags: tagList(properties.tags),
    aliases: aliases.filter((alias) => alias !== title),
    entities: entityList(properties.entities).map(given),
    relations: readRelations(properties),
    project: said(properties.project),
    source: said(properties.source),
    context: said(properties.context),
    origin,
    session: said(properties.session),
    validFrom: readInstant(properties.valid_from, zone),
    approved: readInstant(properties.approved, zone),
  };
}

/** Return the facts that the score is derived from; absurd values count as their defaults. */
export function readUsage(properties: Properties, zone: Zone, undated: Instant): Usage {
  const created = readInstant(properties.created, zone);
  const lastUsed = readInstant(properties.last_used, zone);
  const known = created ?? lastUsed ?? undated;
  return {
    created: created ?? known,
    lastUsed: lastUsed ?? known,
    useCount: count(properties.use_count, 1),
    daysUsed: count(properties.days_used, 1),
    strength: within(properties.strength, 0, MAX_STRENGTH) ?? 1,
    pinned: checkboxOf(properties.pinned) === true,
    halfLifeDays: within(properties.half_life_days, 0.001, 1_000_000),
    promoted: readInstant(properties.promoted, zone),
    reviewCount: count(properties.review_count, 0),
    lastReview: readInstant(properties.last_review, zone),
    crossDomainCount: count(properties.cross_domain_count, 0),
    kind: readKind(properties),
  };
}

function readKind(properties: Properties): Kind | null {
  const said = textOf(properties.kind)?.toLowerCase();
  return KINDS.find((kind) => kind === said) ?? null;
}

export interface WritingContext {
  readonly tier: Tier;
  readonly policy: Policy;
  readonly zone: Zone;
  /** Keys that this vault writes as a date without a time. */
  readonly dateKeys?: ReadonlySet<string>;
}

/** Return only the properties in which two usages differ, and the projection `fades_on`; null for one that is to go. */
export function usageChanges(
  before: Usage,
  after: Usage,
  properties: Properties,
  context: WritingContext,
): Record<string, Value> {
  const [old, wanted] = [usageValues(before, context), usageValues(after, context)];
  const differing = Object.keys(wanted).filter((key) => key !== "created" && wanted[key] !== old[key]);
  const changes: Record<string, Value> = {};
  for (const key of differing) changes[key] = wanted[key] ?? null;
  changes.fades_on = wanted.fades_on ?? null;
  // a note that comes back from long-term may lack it
  const lacks = context.tier === "short-term" && !("pinned" in properties);
  if (before.pinned !== after.pinned || lacks) changes.pinned = after.pinned;
  return changes;
}

/** Return all properties of a usage as they are written, null for those that are absent. */
export function usageValues(usage: Usage, context: WritingContext): Record<string, Value> {
  const { tier, policy, zone } = context;
  const time = (key: string, instant: Instant | null): Value => (instant === null ? null : timeValue(key, instant, context));
  const reviewed = usage.reviewCount > 0;
  return {
    kind: usage.kind,
    pinned: tier === "short-term" || usage.pinned ? usage.pinned : null,
    half_life_days: usage.halfLifeDays,
    fades_on: fadesOn(usage, tier, policy, zone),
    created: time("created", usage.created),
    last_used: time("last_used", usage.lastUsed),
    use_count: usage.useCount,
    days_used: usage.daysUsed > 1 ? usage.daysUsed : null,
    strength: Number(usage.strength.toFixed(DIGITS)),
    review_count: reviewed ? usage.reviewCount : null,
    last_review: reviewed ? time("last_review", usage.lastReview) : null,
    cross_domain_count: reviewed ? usage.crossDomainCount : null,
    promoted: time("promoted", usage.promoted),
  };
}

/** Return a time as this vault writes it under a key. */
export function timeValue(key: string, instant: Instant, { zone, dateKeys }: WritingContext): string {
  return dateKeys?.has(key) === true ? writeDay(instant, zone) : writeInstant(instant, zone);
}

/** Return the day on which a short-term memory fades, null where there is none. */
export function fadesOn(usage: Usage, tier: Tier, policy: Policy, zone: Zone): string | null {
  const at = tier === "short-term" ? fadesAt(usage, policy) : null;
  return at === null ? null : writeDay(at, zone);
}

function readRelations(properties: Properties): Relation[] {
  return RELATION_TYPES.flatMap((type) => targetsOf(properties[type]).map((target) => ({ type, target })));
}

function within(value: unknown, low: number, high: number): number | null {
  const read = numberOf(value);
  return read !== null && read >= low && read <= high ? read : null;
}

function count(value: unknown, least: number): number {
  const read = within(value, least, MAX_COUNT);
  return read !== null && Number.isInteger(read) ? read : least;
}
