/** What a use does to a memory. */

import { type Instant, MAX_STRENGTH, type Usage } from "./memory";

export const BOOST = 0.1;
const CROSS_DOMAIN_BOOST = 0.05;
const CROSS_DOMAIN_SIMILARITY = 0.3;

/** Names the calendar day of an instant in the vault's zone, such that later days compare greater. */
export type DayOf = (instant: Instant) => string;

/** Return the usage after one use; days are told apart by `dayOf`, and `lastUsed` is never lowered. */
export function use(usage: Usage, now: Instant, dayOf: DayOf, boost = false): Usage {
  const newDay = dayOf(now) > dayOf(usage.lastUsed);
  return {
    ...usage,
    useCount: usage.useCount + 1,
    daysUsed: usage.daysUsed + (newDay ? 1 : 0),
    lastUsed: Math.max(now, usage.lastUsed),
    strength: boost ? Math.min(MAX_STRENGTH, usage.strength + BOOST) : usage.strength,
  };
}

/** Return the usage after a use that also counts as a review, in another domain if `crossDomain`. */
export function observe(usage: Usage, now: Instant, dayOf: DayOf, crossDomain: boolean): Usage {
  const used = use(usage, now, dayOf);
  return {
    ...used,
    reviewCount: used.reviewCount + 1,
    lastReview: now,
    crossDomainCount: used.crossDomainCount + (crossDomain ? 1 : 0),
    strength: Math.min(MAX_STRENGTH, used.strength + (crossDomain ? CROSS_DOMAIN_BOOST : 0)),
  };
}

/** Tell whether a use happened in another domain: both have tags, and their Jaccard similarity is below 0.3. */
export function isCrossDomain(tags: Iterable<string>, contextTags: Iterable<string>): boolean {
  const own = normalised(tags);
  const other = normalised(contextTags);
  if (own.size === 0 || other.size === 0) return false;
  const shared = [...own].filter((tag) => other.has(tag)).length;
  return shared / (own.size + other.size - shared) < CROSS_DOMAIN_SIMILARITY;
}

function normalised(tags: Iterable<string>): Set<string> {
  const names = [...tags].map((tag) => tag.trim().replace(/^#+/, "").toLowerCase().replaceAll(" ", "_"));
  return new Set(names.filter((name) => name !== ""));
}
