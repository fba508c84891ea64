/** What the plugin itself changed lately, so that it can be undone. */

import type { Value } from "../notes/frontmatter";

const VERBS = [
  "remembered",
  "adopted",
  "used",
  "kept",
  "strengthened",
  "pinned",
  "unpinned",
  "promoted",
  "demoted",
  "let go",
  "outdated",
  "both true",
  "settled",
  "restored",
  "approved",
  "edited",
] as const;

export type Verb = (typeof VERBS)[number];

/** One change; small enough to be kept on the device. */
export interface Change {
  readonly id: string;
  readonly at: number;
  readonly verb: Verb;
  readonly memoryId: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** Property values before and after, by key. */
  readonly set: Readonly<Record<string, readonly [Value, Value]>>;
  /** The text below the properties before and after, where that was changed and is short enough to be kept. */
  readonly body?: readonly [string, string];
  readonly undone: boolean;
}

/** The whole text before and after: kept in memory only. */
export interface Texts {
  readonly before: string | null;
  readonly after: string;
}

const KEPT = 100;
const KEPT_DAYS = 30;

export class Journal {
  private entries: Change[] = [];
  private revisions = 0;
  private readonly texts = new Map<string, Texts>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly save: (changes: readonly Change[]) => void) {}

  /** Take over what an earlier session kept; anything that is not a change is dropped. */
  restore(stored: unknown, now: number): void {
    const entries: unknown[] = Array.isArray(stored) ? stored : [];
    const oldest = now - KEPT_DAYS * 86_400_000;
    this.entries = entries.filter(isChange).filter((change) => change.at >= oldest).slice(-KEPT);
    this.revisions++;
  }

  /** Counts changes; equal revisions mean equal contents. */
  get revision(): number {
    return this.revisions;
  }

  /** All changes, the latest last. */
  all(): readonly Change[] {
    return this.entries;
  }

  textsOf(change: Change): Texts | null {
    return this.texts.get(change.id) ?? null;
  }

  /** Return the change that undo is about: the latest that still stands. */
  last(): Change | null {
    return [...this.entries].reverse().find((change) => !change.undone) ?? null;
  }

  add(change: Change, texts: Texts): void {
    this.entries = [...this.entries, change].slice(-KEPT);
    this.texts.set(change.id, texts);
    for (const id of [...this.texts.keys()]) {
      if (!this.entries.some((entry) => entry.id === id)) this.texts.delete(id);
    }
    this.keep();
  }

  mark(change: Change, undone: boolean): void {
    this.entries = this.entries.map((entry) => (entry.id === change.id ? { ...entry, undone } : entry));
    this.keep();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private keep(): void {
    this.revisions++;
    this.save(this.entries);
    for (const listener of [...this.listeners]) listener();
  }
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Partial<Record<keyof Change, unknown>>;
  const textual = [entry.id, entry.memoryId, entry.title, entry.from, entry.to];
  const plain = textual.every((text) => typeof text === "string") && typeof entry.undone === "boolean";
  return plain && Number.isFinite(entry.at) && VERBS.some((verb) => verb === entry.verb) && isSet(entry.set) && isBody(entry.body);
}

function isBody(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === "string"));
}

function isSet(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isValue));
}

function isValue(value: unknown): boolean {
  const plain = (item: unknown): boolean => ["string", "number", "boolean"].includes(typeof item);
  return value === null || plain(value) || (Array.isArray(value) && value.every(plain));
}
