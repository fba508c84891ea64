/** A review as a value: what is looked at, what was decided, and the way back. */

import type { Change } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Conflict } from "../obsidian/versions";
import { byDaysLeft, type Standing } from "./standing";

/** `gone` is what somebody else deleted, moved or put away meanwhile. */
export type Choice = "keep" | "promote" | "let go" | "newer" | "older" | "both" | "skip" | "gone";

export interface Decision {
  readonly choice: Choice;
  /** What was changed; null for a skip. */
  readonly change: Change | null;
}

/** One memory, or two that conflict, the newer first; by id. */
export type Item = readonly [string] | readonly [string, string];

/**
 * Return what to look at, at most `room`: conflicts, then what fades and is loved most, in the order of days left.
 *
 * Loved is what was used often and weighs much: what it would score had it been used just now.
 */
export function agenda(conflicts: readonly Conflict[], due: readonly Standing[], room: number, peak: (item: Standing) => number): Item[] {
  const pairs = conflicts.map(({ newer, older }): Item => [newer.memory.id, older.memory.id]).slice(0, room);
  const inPair = new Set(pairs.flat());
  const urgency = (item: Standing): number => (item.state === "fading" ? 0 : 1);
  const ranked = due
    .filter(({ note }) => !inPair.has(note.memory.id))
    .map((item) => ({ item, loved: peak(item) }))
    .sort((one, other) => urgency(one.item) - urgency(other.item) || other.loved - one.loved || byDaysLeft(one.item, other.item));
  const chosen = ranked.slice(0, Math.max(0, room - pairs.length)).map(({ item }) => item);
  return [...pairs, ...chosen.sort(byDaysLeft).map(({ note }): Item => [note.memory.id])];
}

/** Tell whether there is still something to decide of one memory, or of two. */
export function isForReview(notes: readonly (MemoryNote | null)[]): notes is readonly MemoryNote[] {
  if (notes.length === 1) return notes[0]?.tier === "short-term";
  return notes.length === 2 && notes.every((note) => note !== null && note.tier !== "archived");
}

/** Say what became of a memory that need not be reviewed any more, null if it lies where it lay. */
export function fate({ memory, tier }: MemoryNote, now: MemoryNote | null): string | null {
  if (now?.tier === tier) return null;
  const became = now === null ? "was deleted" : now.tier === "archived" ? "was archived" : "became long-term";
  return `“${memory.title}” ${became} meanwhile.`;
}

export class ReviewQueue {
  private readonly decisions: Decision[] = [];

  /** `items` are what to look at, in order; `waiting` more can wait. */
  constructor(readonly items: readonly Item[], readonly waiting = 0) {}

  get size(): number {
    return this.items.length;
  }

  /** How many were decided; the current one is the next. */
  get done(): number {
    return this.decisions.length;
  }

  get current(): Item | null {
    return this.items[this.decisions.length] ?? null;
  }

  get last(): Decision | null {
    return this.decisions[this.decisions.length - 1] ?? null;
  }

  /** The decision that can be taken back. */
  get lastMade(): Decision | null {
    return [...this.decisions].reverse().find(({ choice }) => choice !== "gone") ?? null;
  }

  decide(choice: Choice, change: Change | null): void {
    if (this.current !== null) this.decisions.push({ choice, change });
  }

  /** Go back to the one decided last, past what is gone. */
  back(): void {
    while (this.last?.choice === "gone") this.decisions.pop();
    this.decisions.pop();
  }

  /** How often a choice was made. */
  count(...choices: Choice[]): number {
    return this.decisions.filter(({ choice }) => choices.includes(choice)).length;
  }
}
