/** Two memories that cannot both hold, as the links between notes say: what a person may settle. */

import type { MemoryNote } from "../obsidian/memory-cache";

export interface Conflict {
  readonly newer: MemoryNote;
  readonly older: MemoryNote;
}

/** Finds the memory that a link in a note leads to. */
export type Resolve = (target: string, from: MemoryNote) => MemoryNote | null;

/** Return the open conflicts, the latest first: both are alive, and nobody said that both are true. */
export function openConflicts(notes: readonly MemoryNote[], resolve: Resolve): Conflict[] {
  const found = new Map<string, Conflict>();
  for (const note of notes) {
    for (const { type, target } of note.memory.relations) {
      if (type !== "supersedes" && type !== "contradicts") continue;
      const other = resolve(target, note);
      if (!other || !isOpen(note, other, resolve)) continue;
      const conflict = type === "supersedes" ? { newer: note, older: other } : inOrder(note, other);
      found.set([note.memory.id, other.memory.id].sort().join("+"), conflict);
    }
  }
  return [...found.values()].sort((one, other) => created(other.newer) - created(one.newer));
}

function isOpen(one: MemoryNote, other: MemoryNote, resolve: Resolve): boolean {
  if (one.memory.id === other.memory.id || one.tier === "archived" || other.tier === "archived") return false;
  return !saysBoth(one, other, resolve) && !saysBoth(other, one, resolve);
}

function saysBoth(note: MemoryNote, other: MemoryNote, resolve: Resolve): boolean {
  const both = note.memory.relations.filter(({ type }) => type === "both_true");
  return both.some(({ target }) => resolve(target, note)?.memory.id === other.memory.id);
}

function inOrder(one: MemoryNote, other: MemoryNote): Conflict {
  return created(one) >= created(other) ? { newer: one, older: other } : { newer: other, older: one };
}

function created(note: MemoryNote): number {
  return note.memory.usage.created;
}
