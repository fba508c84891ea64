/** The home: a stream by day of what assistants saved and used, each put right with one key. */

import type { ViewStateResult } from "obsidian";
import { isWaiting } from "../domain/trust";
import { ICONS } from "./icons";
import { type Event, eventsOf, type LearntLine, type StreamLine, streamLines } from "./learnt-model";
import { headButton, StreamView } from "./stream-view";
import { trailOf } from "./trail";
import { quantity } from "./words";

export const LEARNT_VIEW = "mnemex-learnt";

/** What is shown alone: one conversation, or what waits for a yes. */
export type Part = { readonly trail: string } | "waiting";

export class LearntView extends StreamView {
  private part: Part | null = null;
  // what waited when it was first shown; it stays in sight with its undo
  private readonly waited = new Set<string>();
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
    return typeof this.part === "object" && this.part !== null ? { ...this.part } : {};
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const trail = (state as { trail?: unknown } | null)?.trail;
    this.showPart(typeof trail === "string" ? { trail } : null);
    await super.setState(state, result);
  }

  /** Show a part alone, or all again. */
  showPart(part: Part | null): void {
    if (JSON.stringify(part) === JSON.stringify(this.part)) return;
    this.part = part;
    this.waited.clear();
    this.close();
    this.app.workspace.requestSaveLayout();
    this.refresh();
    this.list?.reveal(0);
    this.list?.focus();
  }

  protected override openTrail(session: string): void {
    this.showPart({ trail: session });
  }

  protected override variant(): string {
    return JSON.stringify(this.part);
  }

  protected override makeLines(): readonly StreamLine[] {
    const { cache, journal } = this.companion;
    const events = eventsOf({ notes: cache.all(), changes: journal.all(), changed: cache.changedTexts, zone: cache.settings.zone }, 0);
    this.look(events);
    return streamLines(this.shown(events), (event) => this.marked.has(event.id), cache.settings.zone);
  }

  private shown(events: readonly Event[]): readonly Event[] {
    if (this.part === null) return events;
    if (this.part !== "waiting") return trailOf(this.part.trail, events);
    const { approve } = this.companion.cache.settings;
    for (const { note } of events) if (isWaiting(note, approve)) this.waited.add(note.memory.id);
    return events.filter(({ what, note }) => what === "saved" && this.waited.has(note.memory.id));
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
    if (this.part !== null) {
      const [before, name] = this.part === "waiting" ? ["From others", "Waiting for your yes"] : ["Conversation ", this.part.trail];
      parent.createSpan({ text: before });
      parent.createEl("b", { cls: "mnemex-trail-name", text: name });
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
    if (this.part !== null) headButton(parent, ICONS.back, "All", () => this.showPart(null));
    headButton(parent, ICONS.profile, "About me", () => void companion.openProfile());
    headButton(parent, ICONS.dashboard, "Dashboard", () => void companion.openDashboard());
    headButton(parent, ICONS.review, "Review", () => void companion.openReview());
  }
}
