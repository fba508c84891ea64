/** The home: a stream by day of what assistants saved and used, each put right with one key. */

import type { ViewStateResult } from "obsidian";
import { ICONS } from "./icons";
import { type Event, eventsOf, type LearntLine, type StreamLine, streamLines } from "./learnt-model";
import { headButton, StreamView } from "./stream-view";
import { trailOf } from "./trail";
import { quantity } from "./words";

export const LEARNT_VIEW = "mnemex-learnt";

export class LearntView extends StreamView {
  private trail: string | null = null;
  // what was new when the view came into sight stays marked until it goes out of it
  private readonly marked = new Set<string>();
  private lastLook: number | null = null;

  getViewType(): string {
    return LEARNT_VIEW;
  }

  getDisplayText(): string {
    return "Learnt";
  }

  override getIcon(): string {
    return ICONS.learnt;
  }

  override getState(): Record<string, unknown> {
    return this.trail === null ? {} : { trail: this.trail };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const trail = (state as { trail?: unknown } | null)?.trail;
    this.showTrail(typeof trail === "string" ? trail : null);
    await super.setState(state, result);
  }

  /** Show one conversation alone, or all again. */
  showTrail(session: string | null): void {
    if (session === this.trail) return;
    this.trail = session;
    this.close();
    this.app.workspace.requestSaveLayout();
    this.refresh();
    this.list?.reveal(0);
    this.list?.focus();
  }

  protected override openTrail(session: string): void {
    this.showTrail(session);
  }

  protected override variant(): string {
    return this.trail ?? "";
  }

  protected override makeLines(): readonly StreamLine[] {
    const { cache, journal } = this.companion;
    const events = eventsOf({ notes: cache.all(), changes: journal.all(), changed: cache.changedTexts, zone: cache.settings.zone }, 0);
    this.look(events);
    const shown = this.trail === null ? events : trailOf(this.trail, events);
    return streamLines(shown, (event) => this.marked.has(event.id), cache.settings.zone);
  }

  // the next look begins when it is seen again
  protected override outOfSight(): void {
    this.lastLook = null;
  }

  private look(events: readonly Event[]): void {
    const { lastLook } = this.companion;
    if (this.lastLook === null) {
      this.marked.clear();
      this.lastLook = lastLook.at;
    }
    const fresh = events.filter((event) => lastLook.isNew(event));
    for (const { id } of fresh) this.marked.add(id);
    if (fresh.length > 0 || lastLook.at === this.lastLook) lastLook.lookAt(events, this.companion.now());
  }

  protected override timeOf(line: LearntLine): string {
    return this.companion.words().time(line.at);
  }

  protected override say(parent: HTMLElement): void {
    if (this.trail !== null) {
      parent.createSpan({ text: "Conversation " });
      parent.createEl("b", { cls: "mnemex-trail-name", text: this.trail });
      return;
    }
    const words = this.companion.words();
    const fresh = this.lines.filter((line) => line.kind === "learnt" && line.isNew).length;
    parent.createEl("b", { text: quantity(fresh, words.locale) });
    const since = this.lastLook === null ? "" : ` since ${words.since(this.lastLook, this.companion.now())}`;
    parent.createSpan({ text: `new${since}` });
  }

  protected override offer(parent: HTMLElement): void {
    const { companion } = this;
    if (this.trail !== null) headButton(parent, ICONS.back, "All", () => this.showTrail(null));
    headButton(parent, ICONS.profile, "About me", () => void companion.openProfile());
    headButton(parent, ICONS.dashboard, "Dashboard", () => void companion.openDashboard());
    headButton(parent, ICONS.review, "Review", () => void companion.openReview());
  }
}
