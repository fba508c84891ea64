/** Two memories that may not both hold, as links between notes and the review note say: what a person may settle. */

import type { MemoryNote } from "../obsidian/memory-cache";

export interface Conflict {
  readonly newer: MemoryNote;
  readonly older: MemoryNote;
}

/** Finds the memory that a link in a note leads to. */
export type Resolve = (target: string, from: MemoryNote) => MemoryNote | null;

const SETTLED: ReadonlySet<string> = new Set(["both_true", "supersedes"]);

/**
 * Return the open conflicts, the latest first: both are alive, and nobody said which holds, or that both do.
 *
 * Somebody marked that one contradicts the other; or the server, which knows what the texts state, lists the two.
 */
export function openConflicts(notes: readonly MemoryNote[], listed: readonly (readonly [MemoryNote, MemoryNote])[], resolve: Resolve): Conflict[] {
  const said = notes.flatMap((note) => targetsOf(note, new Set(["contradicts"]), resolve).map((other) => [note, other] as const));
  const replaced = new Set(notes.filter(isAlive).flatMap((note) => targetsOf(note, new Set(["supersedes"]), resolve)));
  const found = new Map<string, Conflict>();
  for (const [one, other] of [...said, ...listed]) {
    if (replaced.has(one) || replaced.has(other) || !isOpen(one, other, resolve)) continue;
    found.set([one.memory.id, other.memory.id].sort().join("+"), inOrder(one, other));
  }
  return [...found.values()].sort((one, other) => since(other.newer) - since(one.newer));
}

/** Tell whether it is still to be said which of two memories holds. */
export function isOpen(one: MemoryNote, other: MemoryNote, resolve: Resolve): boolean {
  if (one.memory.id === other.memory.id || !isAlive(one) || !isAlive(other)) return false;
  return !settles(one, other, resolve) && !settles(other, one, resolve);
}

function settles(note: MemoryNote, other: MemoryNote, resolve: Resolve): boolean {
  return targetsOf(note, SETTLED, resolve).some(({ memory }) => memory.id === other.memory.id);
}

function targetsOf(note: MemoryNote, types: ReadonlySet<string>, resolve: Resolve): MemoryNote[] {
  const relations = note.memory.relations.filter(({ type }) => types.has(type));
  return relations.flatMap(({ target }) => resolve(target, note) ?? []);
}

function isAlive({ tier }: MemoryNote): boolean {
  return tier !== "archived";
}

function inOrder(one: MemoryNote, other: MemoryNote): Conflict {
  return since(one) >= since(other) ? { newer: one, older: other } : { newer: other, older: one };
}

/** Return since when a memory says what it says: as its text or a person tells, else when it was saved. */
export function since({ memory }: MemoryNote): number {
  return memory.validFrom ?? memory.usage.created;
}
