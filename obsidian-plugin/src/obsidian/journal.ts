/** What the plugin itself changed lately, so that it can be undone. */

import type { Value } from "../notes/frontmatter";

export type Verb =
  | "remembered"
  | "adopted"
  | "used"
  | "kept"
  | "strengthened"
  | "pinned"
  | "unpinned"
  | "promoted"
  | "demoted"
  | "let go"
  | "restored";

/** One change; small enough to be kept in the plugin's data. */
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
  readonly undone: boolean;
}

/** The whole text before and after: kept in memory only. */
export interface Texts {
  readonly before: string | null;
  readonly after: string;
}

const KEPT = 40;
const KEPT_DAYS = 30;

export class Journal {
  private entries: Change[] = [];
  private readonly texts = new Map<string, Texts>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly save: (changes: readonly Change[]) => Promise<void>) {}

  /** Take over what an earlier session kept; anything that is not a change is dropped. */
  restore(stored: unknown, now: number): void {
    const entries: unknown[] = Array.isArray(stored) ? stored : [];
    const oldest = now - KEPT_DAYS * 86_400_000;
    this.entries = entries.filter(isChange).filter((change) => change.at >= oldest).slice(-KEPT);
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

  async add(change: Change, texts: Texts): Promise<void> {
    this.entries = [...this.entries, change].slice(-KEPT);
    this.texts.set(change.id, texts);
    for (const id of [...this.texts.keys()]) {
      if (!this.entries.some((entry) => entry.id === id)) this.texts.delete(id);
    }
    await this.keep();
  }

  async mark(change: Change, undone: boolean): Promise<void> {
    this.entries = this.entries.map((entry) => (entry.id === change.id ? { ...entry, undone } : entry));
    await this.keep();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async keep(): Promise<void> {
    for (const listener of [...this.listeners]) listener();
    await this.save(this.entries);
  }
}

function isChange(value: unknown): value is Change {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Partial<Record<keyof Change, unknown>>;
  const textual = [entry.id, entry.verb, entry.memoryId, entry.title, entry.from, entry.to];
  return textual.every((text) => typeof text === "string") && typeof entry.at === "number" && isRecord(entry.set);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
