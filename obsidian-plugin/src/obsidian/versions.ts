/** Which memories are versions of one fact: what replaces what, and of which two a person may say which holds. */

import type { MemoryNote } from "./memory-cache";

export interface Conflict {
  readonly newer: MemoryNote;
  readonly older: MemoryNote;
}

/** Finds the memory that a link in a note leads to. */
export type Resolve = (target: string, from: MemoryNote) => MemoryNote | null;

const SUPERSEDES: ReadonlySet<string> = new Set(["supersedes"]);
const CONTRADICTS: ReadonlySet<string> = new Set(["contradicts"]);
const SETTLED: ReadonlySet<string> = new Set(["both_true", "supersedes"]);

/** Return the ids of memories that a live one replaces; of those that replace each other the one said last holds. */
export function replacedIds(notes: readonly MemoryNote[], resolve: Resolve): ReadonlySet<string> {
  const successors = new Map<string, MemoryNote>();
  const replacing = notes.filter((note) => isAlive(note) && note.memory.relations.some(({ type }) => SUPERSEDES.has(type)));
  for (const note of replacing.sort((one, other) => (one.path < other.path ? -1 : 1))) {
    for (const old of targetsOf(note, SUPERSEDES, resolve)) if (old.memory.id !== note.memory.id) successors.set(old.memory.id, note);
  }
  const replaced = new Set(successors.keys());
  for (const id of lastOfCircles(successors)) replaced.delete(id);
  return replaced;
}

function lastOfCircles(successors: ReadonlyMap<string, MemoryNote>): string[] {
  const done = new Set<string>();
  return [...successors.values()].flatMap((start) => {
    const walked = new Map<string, MemoryNote>();
    let note: MemoryNote | undefined = start;
    while (note && !done.has(note.memory.id) && !walked.has(note.memory.id)) {
      walked.set(note.memory.id, note);
      note = successors.get(note.memory.id);
    }
    for (const id of walked.keys()) done.add(id);
    if (!note || !walked.has(note.memory.id)) return [];
    const members = [...walked.values()];
    return members.slice(members.indexOf(note)).reduce((one, other) => (saidLater(other, one) ? other : one)).memory.id;
  });
}

function saidLater(one: MemoryNote, other: MemoryNote): boolean {
  const [first, second] = [one.memory.usage.created, other.memory.usage.created];
  return first === second ? one.modified > other.modified : first > second;
}

/**
 * Return the open conflicts, the latest first: both are alive, and nobody said which holds, or that both do.
 *
 * Somebody marked that one contradicts the other; or the server, which knows what the texts state, lists the two.
 */
export function openConflicts(notes: readonly MemoryNote[], listed: readonly (readonly [MemoryNote, MemoryNote])[], resolve: Resolve): Conflict[] {
  const said = notes.flatMap((note) => targetsOf(note, CONTRADICTS, resolve).map((other) => [note, other] as const));
  const replaced = replacedIds(notes, resolve);
  const found = new Map<string, Conflict>();
  for (const [one, other] of [...said, ...listed]) {
    if (replaced.has(one.memory.id) || replaced.has(other.memory.id) || !isOpen(one, other, resolve)) continue;
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
