/** Notes in the memory folders whose properties cannot be read: they are no memories to anybody until they are mended. */

import type { App, TFile } from "obsidian";
import { readFrontmatter, UnreadableNote } from "../notes/frontmatter";
import { isAtHome, type Layout } from "../notes/layout";

export interface Unreadable {
  readonly path: string;
  readonly reason: string;
}

export class UnreadableNotes {
  private readonly known = new Map<string, { readonly modified: number; readonly reason: string | null }>();

  constructor(private readonly app: App) {}

  /** Return them by path; a text is read once as long as it does not change. */
  async find(layout: Layout): Promise<Unreadable[]> {
    const files = this.app.vault.getMarkdownFiles().filter((file) => this.isBare(file));
    const found: Unreadable[] = [];
    for (const file of files.filter(({ path }) => isAtHome(path, layout))) {
      const reason = await this.reasonOf(file);
      if (reason !== null) found.push({ path: file.path, reason });
    }
    return found.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  // the app has no properties for what it cannot read, nor for notes without any
  private isBare(file: TFile): boolean {
    return Object.keys(this.app.metadataCache.getFileCache(file)?.frontmatter ?? {}).length === 0;
  }

  private async reasonOf(file: TFile): Promise<string | null> {
    const modified = file.stat.mtime;
    const known = this.known.get(file.path);
    if (known?.modified === modified) return known.reason;
    const reason = reasonIn(await this.app.vault.cachedRead(file));
    this.known.set(file.path, { modified, reason });
    return reason;
  }
}

function reasonIn(text: string): string | null {
  try {
    readFrontmatter(text);
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableNote)) throw error;
    return error.reason;
  }
}
