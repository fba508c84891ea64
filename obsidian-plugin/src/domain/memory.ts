/** What a memory is: a text with a tier, bookkeeping of its use, and relations. */

export const MAX_STRENGTH = 2;

/** Milliseconds since 1970-01-01 UTC. */
export type Instant = number;

/** The folder a memory lies in decides its tier. */
export type Tier = "short-term" | "long-term" | "archived";

export const TIERS: readonly Tier[] = ["short-term", "long-term", "archived"];

/** Typed relations between memories, each a property that holds wikilinks. */
export const RELATION_TYPES = [
  "related",
  "causes",
  "supports",
  "contradicts",
  "has_decision",
  "consolidated_from",
  "supersedes",
  "split_from",
  "both_true",
] as const;

export type RelationType = (typeof RELATION_TYPES)[number];

/** What a standing memory tells; it does not fade by disuse. */
export const KINDS = ["rule", "preference", "identity", "safety"] as const;

export type Kind = (typeof KINDS)[number];

/** An outgoing relation; `target` is the name of a note as a wikilink has it, without brackets. */
export interface Relation {
  readonly type: RelationType;
  readonly target: string;
}

/** The facts a score is derived from; `useCount` counts the save as the first use. */
export interface Usage {
  readonly created: Instant;
  readonly lastUsed: Instant;
  readonly useCount: number;
  readonly daysUsed: number;
  readonly strength: number;
  readonly pinned: boolean;
  readonly halfLifeDays: number | null;
  readonly promoted: Instant | null;
  readonly reviewCount: number;
  readonly lastReview: Instant | null;
  readonly crossDomainCount: number;
  readonly kind: Kind | null;
}

/** Return the usage of a memory saved at `created`, changed by `facts`; throws RangeError on impossible facts. */
export function usage(created: Instant, facts: Partial<Usage> = {}): Usage {
  const result: Usage = {
    created,
    lastUsed: created,
    useCount: 1,
    daysUsed: 1,
    strength: 1,
    pinned: false,
    halfLifeDays: null,
    promoted: null,
    reviewCount: 0,
    lastReview: null,
    crossDomainCount: 0,
    kind: null,
    ...facts,
  };
  if (result.useCount < 1 || result.daysUsed < 1) throw new RangeError("counts start at 1");
  if (!(result.strength >= 0 && result.strength <= MAX_STRENGTH)) throw new RangeError("strength lies between 0 and 2");
  if (result.halfLifeDays !== null && !(result.halfLifeDays > 0)) throw new RangeError("a half-life is positive");
  return result;
}

/** Tell whether a memory does not decay: a person pinned it, or it is of a standing kind. */
export function isLasting(usage: Usage): boolean {
  return usage.pinned || usage.kind !== null;
}

/** One memory; where its note lies and what its score is are not part of it. */
export interface Memory {
  readonly id: string;
  readonly title: string;
  readonly usage: Usage;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly entities: readonly string[];
  readonly relations: readonly Relation[];
  readonly project: string | null;
  readonly source: string | null;
  readonly context: string | null;
  readonly origin: string | null;
  readonly session: string | null;
  readonly validFrom: Instant | null;
  readonly approved: Instant | null;
}
