/** Which memories are about a note: links in either direction, entities, tags. */

import { folded, lastPart } from "../notes/links";
import type { MemoryNote } from "./memory-cache";

/** What is known about the note that is being read. */
export interface Subject {
  readonly path: string;
  readonly names: readonly string[];
  readonly tags: readonly string[];
  readonly entities: readonly string[];
  /** Paths that the note links to. */
  readonly linksTo: ReadonlySet<string>;
  /** Paths of the notes that link to it. */
  readonly linkedFrom: ReadonlySet<string>;
}

const LINK_WEIGHT = 4;
const ENTITY_WEIGHT = 3;
const SHARED_ENTITY_WEIGHT = 1.5;
const SHOWN = 12;

/** Return the memories about a note, the closest first; ties keep their order. */
export function relatedMemories(subject: Subject, notes: readonly MemoryNote[]): MemoryNote[] {
  const weights = new TagWeights(subject, notes);
  const names = new Set(subject.names.map(folded));
  const entities = new Set(subject.entities.map((entity) => folded(lastPart(entity))));
  const weighed = notes
    .filter((note) => note.path !== subject.path)
    .map((note) => ({ note, weight: linkWeight(subject, note) + entityWeight(note, names, entities) + weights.of(note) }));
  const close = weighed.filter(({ weight }) => weight >= 1).sort((one, other) => other.weight - one.weight);
  return close.slice(0, SHOWN).map(({ note }) => note);
}

function linkWeight(subject: Subject, note: MemoryNote): number {
  return subject.linksTo.has(note.path) || subject.linkedFrom.has(note.path) ? LINK_WEIGHT : 0;
}

function entityWeight(note: MemoryNote, names: ReadonlySet<string>, entities: ReadonlySet<string>): number {
  const own = note.memory.entities.map((entity) => folded(lastPart(entity)));
  if (own.some((entity) => names.has(entity))) return ENTITY_WEIGHT;
  return own.some((entity) => entities.has(entity)) ? SHARED_ENTITY_WEIGHT : 0;
}

/** A shared tag says the more, the fewer memories carry it. */
class TagWeights {
  private readonly weights = new Map<string, number>();

  constructor(subject: Subject, notes: readonly MemoryNote[]) {
    const wanted = new Set(subject.tags.map(folded));
    if (wanted.size === 0) return;
    const counts = new Map<string, number>();
    for (const note of notes) {
      for (const tag of note.memory.tags.map(folded)) if (wanted.has(tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    for (const [tag, count] of counts) this.weights.set(tag, Math.min(1, 8 / count));
  }

  of(note: MemoryNote): number {
    if (this.weights.size === 0) return 0;
    return note.memory.tags.reduce((sum, tag) => sum + (this.weights.get(folded(tag)) ?? 0), 0);
  }
}
