/** How a memory stands at a moment: what rows, lines, curves and charts show. */

import type { Instant } from "../domain/memory";
import { bounded, fadesAt, fallsAt, peak, type Policy, promotionReason, score, type State, stateOfScore } from "../domain/scoring";
import { folded } from "../notes/links";
import type { Change } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";

export interface Standing {
  readonly note: MemoryNote;
  readonly score: number;
  /** The score on the common scale, 0..1. */
  readonly level: number;
  readonly state: State;
  readonly fadesAt: Instant | null;
  readonly ready: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Return how a memory stands. */
export function standing(note: MemoryNote, policy: Policy, now: Instant): Standing {
  const { usage, approved } = note.memory;
  const origin = approved === null ? note.memory.origin : null;
  const value = score(usage, policy, now);
  return {
    note,
    score: value,
    level: bounded(value, policy),
    state: usage.pinned ? "pinned" : stateOfScore(value, policy),
    fadesAt: fadesAt(usage, policy),
    ready: note.tier === "short-term" && !usage.pinned && promotionReason(usage, policy, now, origin) !== null,
  };
}

/** Return what a person should look at, the first to fade first. */
export function reviewQueue(notes: readonly MemoryNote[], policy: Policy, now: Instant): Standing[] {
  return notes
    .filter((note) => note.tier === "short-term")
    .map((note) => standing(note, policy, now))
    .filter(({ state }) => state === "fading" || state === "due")
    .sort(byDaysLeft);
}

/** Return when the next memory will be due for review; null if none will. */
export function nextDue(notes: readonly MemoryNote[], policy: Policy): Instant | null {
  const times = notes
    .filter((note) => note.tier === "short-term" && peak(note.memory.usage, policy) > policy.reviewMax)
    .map(({ memory: { usage } }) => fallsAt(usage, policy, policy.reviewMax) ?? Infinity);
  const first = times.reduce((one, other) => Math.min(one, other), Infinity);
  return Number.isFinite(first) ? first : null;
}

/** Order by the time left, then by title. */
export function byDaysLeft(one: Standing, other: Standing): number {
  const left = (item: Standing): number => item.fadesAt ?? Number.MAX_VALUE;
  return left(one) - left(other) || byTitle(one, other);
}

export function byTitle(one: Standing, other: Standing): number {
  return collator.compare(one.note.memory.title, other.note.memory.title);
}

/** What tells why notes are archived: the names of those that were merged, and when the plugin let go of which. */
export interface Farewells {
  readonly merged: ReadonlySet<string>;
  /** By id of the memory. */
  readonly letGo: ReadonlyMap<string, { readonly how: "let go" | "not true"; readonly at: Instant }>;
}

export interface Archival {
  readonly how: "faded" | "let go" | "not true" | "merged" | "archived";
  /** Null if neither the note nor the journal tells it; the times of files are those of a copy or a sync. */
  readonly at: Instant | null;
}

/** Tell why and when an archived note came there, as far as notes and journal tell. */
export function archival(item: Standing, { merged, letGo }: Farewells, now: Instant): Archival {
  const { path, memory } = item.note;
  const own = letGo.get(memory.id);
  if (own) return own;
  if (merged.has(folded(memory.title)) || merged.has(folded(fileTitle(path)))) return { how: "merged", at: null };
  const faded = item.fadesAt !== null && item.fadesAt <= now;
  return faded ? { how: "faded", at: item.fadesAt } : { how: "archived", at: null };
}

/** Collect what tells why notes are archived. */
export function farewells(notes: readonly MemoryNote[], changes: readonly Change[]): Farewells {
  const letGo = new Map<string, { how: "let go" | "not true"; at: Instant }>();
  for (const { verb, undone, memoryId, at } of changes) {
    if (undone || (verb !== "let go" && verb !== "outdated")) continue;
    letGo.set(memoryId, { how: verb === "let go" ? "let go" : "not true", at });
  }
  return { merged: mergedNames(notes), letGo };
}

function mergedNames(notes: readonly MemoryNote[]): Set<string> {
  const relations = notes.flatMap((note) => note.memory.relations);
  return new Set(relations.filter(({ type }) => type === "consolidated_from").map(({ target }) => folded(target)));
}

function fileTitle(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
}
