/** Which memories are about a note, and why: links to it, entities, tags, words. What it links to already is left out. */

import { folded, lastPart } from "../notes/links";
import type { MemoryNote } from "./memory-cache";

/** What is known about the note that is being read. */
export interface Subject {
  readonly path: string;
  readonly names: readonly string[];
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  readonly entities: readonly string[];
  /** Paths that the note links to. */
  readonly linksTo: ReadonlySet<string>;
  /** Paths of the notes that link to it. */
  readonly linkedFrom: ReadonlySet<string>;
}

export interface Related {
  readonly note: MemoryNote;
  /** Why it is about the note, the strongest reason first; said to people. */
  readonly why: string;
}

interface Reason {
  readonly weight: number;
  readonly text: string;
}

const LINK_WEIGHT = 4;
const ENTITY_WEIGHT = 3;
const SHARED_ENTITY_WEIGHT = 1.5;
const WORD_WEIGHT = 0.6;
// rarer than this says something about a note, more frequent ever less
const TELLING_TAG = 8;
const TELLING_WORD = 4;
const SHOWN = 12;
const REASONS_SHOWN = 2;

/** Return the memories about a note, the closest first; ties keep their order. */
export function relatedMemories(subject: Subject, notes: readonly MemoryNote[]): Related[] {
  const tags = new Shared(subject.tags.map(folded), notes, tagsOf, TELLING_TAG);
  const words = new Shared(wordsIn([...subject.names, ...subject.headings]), notes, titleWords, TELLING_WORD);
  const names = new Map(subject.names.map((name) => [folded(name), name]));
  const entities = new Map(subject.entities.map((entity) => [folded(lastPart(entity)), lastPart(entity)]));
  const weighed = notes
    .filter((note) => note.path !== subject.path && !subject.linksTo.has(note.path))
    .map((note) => {
      const reasons = [linkReason(subject, note), entityReason(note, names, entities), tagReason(tags.of(note)), wordReason(words.of(note))];
      return { note, reasons: reasons.filter(({ weight }) => weight > 0) };
    })
    .map(({ note, reasons }) => ({ note, reasons, weight: reasons.reduce((sum, { weight }) => sum + weight, 0) }));
  const close = weighed.filter(({ weight }) => weight >= 1).sort((one, other) => other.weight - one.weight);
  return close.slice(0, SHOWN).map(({ note, reasons }) => ({ note, why: said(reasons) }));
}

function said(reasons: readonly Reason[]): string {
  const strongest = [...reasons].sort((one, other) => other.weight - one.weight);
  return strongest.slice(0, REASONS_SHOWN).map(({ text }) => text).join(" · ");
}

function linkReason(subject: Subject, note: MemoryNote): Reason {
  return { weight: subject.linkedFrom.has(note.path) ? LINK_WEIGHT : 0, text: "links here" };
}

function entityReason(note: MemoryNote, names: ReadonlyMap<string, string>, entities: ReadonlyMap<string, string>): Reason {
  const own = note.memory.entities.map((entity) => folded(lastPart(entity)));
  const named = own.map((entity) => names.get(entity)).find((name) => name !== undefined);
  if (named !== undefined) return { weight: ENTITY_WEIGHT, text: `names ${named}` };
  const shared = own.map((entity) => entities.get(entity)).find((name) => name !== undefined);
  return { weight: shared === undefined ? 0 : SHARED_ENTITY_WEIGHT, text: `names ${shared ?? ""}, too` };
}

function tagReason({ weight, shared }: Common): Reason {
  return { weight, text: shared.map((tag) => `#${tag}`).join(" ") };
}

function wordReason({ weight, shared }: Common): Reason {
  return { weight: weight * WORD_WEIGHT, text: `same words: ${shared.join(", ")}` };
}

function tagsOf(note: MemoryNote): string[] {
  return note.memory.tags.map(folded);
}

const wordsOfTitles = new WeakMap<MemoryNote, string[]>();

function titleWords(note: MemoryNote): string[] {
  let words = wordsOfTitles.get(note);
  if (!words) {
    words = wordsIn([note.memory.title]);
    wordsOfTitles.set(note, words);
  }
  return words;
}

// short words say little, but for scripts that write without spaces
function wordsIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(found.filter((word) => word.length >= 4 || /[^\p{Script=Latin}\p{N}]/u.test(word)))];
}

interface Common {
  readonly weight: number;
  readonly shared: readonly string[];
}

/** What a note shares with the subject says the more, the fewer memories have it. */
class Shared {
  private readonly weights = new Map<string, number>();

  constructor(
    wanted: readonly string[],
    notes: readonly MemoryNote[],
    private readonly itemsOf: (note: MemoryNote) => string[],
    telling: number,
  ) {
    const asked = new Set(wanted);
    if (asked.size === 0) return;
    const counts = new Map<string, number>();
    for (const note of notes) {
      for (const item of itemsOf(note)) if (asked.has(item)) counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    for (const [item, count] of counts) this.weights.set(item, Math.min(1, telling / count));
  }

  of(note: MemoryNote): Common {
    if (this.weights.size === 0) return { weight: 0, shared: [] };
    const shared = this.itemsOf(note).filter((item) => this.weights.has(item));
    return { weight: shared.reduce((sum, item) => sum + (this.weights.get(item) ?? 0), 0), shared };
  }
}
