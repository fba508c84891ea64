/** Reading as use: a memory note that stays open for a while was used, at most once a day. */

import { Component, type App } from "obsidian";
import { writeDay } from "../notes/dates";
import type { MemoryCache, MemoryNote } from "./memory-cache";

const READ_AFTER_MILLISECONDS = 5000;

export class Reading extends Component {
  private timer: number | null = null;

  constructor(
    private readonly app: App,
    private readonly cache: MemoryCache,
    private readonly around: { enabled: () => boolean; now: () => number; use: (note: MemoryNote) => Promise<void> },
  ) {
    super();
  }

  override onload(): void {
    this.registerEvent(this.app.workspace.on("file-open", (file) => this.opened(file?.path ?? null)));
    this.register(() => this.stop());
  }

  private opened(path: string | null): void {
    this.stop();
    if (path === null || !this.around.enabled()) return;
    this.timer = window.setTimeout(() => void this.read(path), READ_AFTER_MILLISECONDS);
  }

  private async read(path: string): Promise<void> {
    this.timer = null;
    const note = this.cache.at(path);
    if (!note || note.tier === "archived" || this.app.workspace.getActiveFile()?.path !== path) return;
    const { zone } = this.cache.settings;
    const today = writeDay(this.around.now(), zone);
    if (writeDay(note.memory.usage.lastUsed, zone) < today) await this.around.use(note);
  }

  private stop(): void {
    if (this.timer !== null) window.clearTimeout(this.timer);
    this.timer = null;
  }
}
