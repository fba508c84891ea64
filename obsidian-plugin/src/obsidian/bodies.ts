/** The texts of memory notes for searching: read when first searched, kept while unchanged. */

import type { App } from "obsidian";
import { bodyOf, UnreadableNote } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { folded } from "../notes/links";
import type { MemoryNote } from "./memory-cache";

const AT_ONCE = 50;

export class Bodies {
  private readonly texts = new Map<string, { readonly modified: number; readonly text: string }>();
  private reading = false;

  constructor(private readonly app: App) {}

  /** Return the text in folded letters as far as it was read. */
  readonly of = (path: string): string => this.texts.get(path)?.text ?? "";

  /** Read what is missing or changed; calls `progress` now and then and at the end. */
  async read(notes: readonly MemoryNote[], progress: () => void): Promise<void> {
    const missing = notes.filter((note) => this.texts.get(note.path)?.modified !== note.modified);
    if (missing.length === 0 || this.reading) return;
    this.reading = true;
    try {
      for (let start = 0; start < missing.length; start += AT_ONCE) {
        await Promise.all(missing.slice(start, start + AT_ONCE).map((note) => this.readOne(note)));
        if (start % (AT_ONCE * 20) === 0) progress();
      }
    } finally {
      this.reading = false;
    }
    progress();
  }

  private async readOne(note: MemoryNote): Promise<void> {
    const file = this.app.vault.getFileByPath(note.path);
    if (!file) return;
    const text = await this.app.vault.cachedRead(file);
    this.texts.set(note.path, { modified: note.modified, text: folded(asGiven(plainBody(text), note.memory.origin)) });
  }
}

function plainBody(text: string): string {
  try {
    return bodyOf(text);
  } catch (error) {
    if (!(error instanceof UnreadableNote)) throw error;
    return text;
  }
}
