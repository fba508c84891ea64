/** The first line of the text of memories, read when a row is first seen and kept while unchanged. */

import type { App } from "obsidian";
import { bodyOf } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { firstLine } from "../notes/names";
import type { MemoryNote } from "./memory-cache";

export class FirstLines {
  private readonly lines = new Map<string, { readonly modified: number; readonly text: string }>();
  private readonly reading = new Set<string>();

  /** `arrived` is called when lines that were asked for are there. */
  constructor(private readonly app: App, private readonly arrived: () => void) {}

  /** Return the line, or what stands for it until it is read. */
  of(note: MemoryNote): string {
    const known = this.lines.get(note.path);
    if (known?.modified !== note.modified) void this.read(note);
    return known?.text || note.memory.title;
  }

  private async read(note: MemoryNote): Promise<void> {
    const file = this.app.vault.getFileByPath(note.path);
    if (!file || this.reading.has(note.path)) return;
    this.reading.add(note.path);
    const text = await this.app.vault.cachedRead(file);
    this.reading.delete(note.path);
    this.lines.set(note.path, { modified: note.modified, text: firstLine(asGiven(bodyOf(text), note.memory.origin)) });
    if (this.reading.size === 0) this.arrived();
  }
}
