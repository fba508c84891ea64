/** The dashboard: counts, scores, what fades next, what changed lately. */

import { ItemView, setIcon, type WorkspaceLeaf } from "obsidian";
import { isWaiting } from "../domain/trust";
import { writeDay } from "../notes/dates";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Companion } from "./companion";
import { drawHistogram } from "./histogram";
import { ICONS } from "./icons";
import { type RecentChange, recentChanges } from "./recent-changes";
import { byDaysLeft, reviewQueue, type Standing, standing } from "./standing";
import { quantity, type Words } from "./words";

export const DASHBOARD_VIEW = "mnemex-dashboard";

const DAY = 86_400_000;
const MINUTE = 60_000;
const WINDOW_DAYS = 30;
const MOST_FADING = 7;
const CHART_HEIGHT = 200;

export class DashboardView extends ItemView {
  private chart: HTMLElement | null = null;
  private charted: readonly Standing[] = [];
  private width = 0;
  private day = "";

  constructor(leaf: WorkspaceLeaf, private readonly companion: Companion) {
    super(leaf);
    this.navigation = true;
  }

  getViewType(): string {
    return DASHBOARD_VIEW;
  }

  getDisplayText(): string {
    return "Memory dashboard";
  }

  override getIcon(): string {
    return ICONS.dashboard;
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass("mnemex-dash");
    this.register(this.companion.cache.onChange(() => this.redraw()));
    this.register(this.companion.journal.onChange(() => this.redraw()));
    this.registerInterval(this.containerEl.win.setInterval(() => this.tick(), MINUTE));
    this.draw();
  }

  // what is said of today holds until midnight
  private tick(): void {
    const { cache } = this.companion;
    if (writeDay(this.companion.now(), cache.settings.zone) !== this.day) this.redraw();
  }

  override async onClose(): Promise<void> {
    this.contentEl.empty();
  }

  override onResize(): void {
    if (this.chart && this.chart.clientWidth !== this.width) this.drawChart();
  }

  // a change redraws all; place and focus stay where they were
  private redraw(): void {
    const root = this.contentEl;
    const buttons = (): HTMLElement[] => Array.from(root.querySelectorAll<HTMLElement>("button, a"));
    const focused = buttons().findIndex((button) => button === root.doc.activeElement);
    const scrolled = root.scrollTop;
    this.draw();
    root.scrollTop = scrolled;
    if (focused >= 0) buttons()[focused]?.focus({ preventScroll: true });
  }

  private draw(): void {
    const { cache } = this.companion;
    const now = this.companion.now();
    this.day = writeDay(now, cache.settings.zone);
    const root = this.contentEl;
    root.empty();
    const inner = root.createDiv({ cls: "mnemex-dash-in" });
    const shortTerm = cache.all().filter((note) => note.tier === "short-term");
    const items = shortTerm.map((note) => standing(note, cache.settings.policy, now));
    this.drawCounts(inner, items);
    const two = inner.createDiv({ cls: "mnemex-two" });
    this.drawScores(two.createEl("section"), items);
    this.drawFading(two.createEl("section"), items, now);
    this.drawChanges(inner.createEl("section"), now);
    this.drawChart();
  }

  private drawCounts(parent: HTMLElement, items: readonly Standing[]): void {
    const { cache } = this.companion;
    const { locale } = this.companion.words();
    const notes = cache.all();
    const counts = parent.createDiv({ cls: "mnemex-counts" });
    const add = (count: number, text: string, cls = ""): HTMLElement => {
      const el = counts.createDiv(cls === "" ? {} : { cls });
      el.createEl("b", { text: quantity(count, locale) });
      el.createSpan({ text });
      return el;
    };
    add(items.length, "short-term");
    add(notes.filter((note) => note.tier === "long-term").length, "long-term");
    add(notes.filter((note) => note.tier === "archived").length, "archived");
    const offer = (count: number, text: string, cls: string, label: string, act: () => void): void => {
      const el = add(count, text, cls === "" ? "" : "mnemex-counts-cta");
      if (count === 0) return;
      const button = el.createEl("button", { cls, text: label, attr: { type: "button" } });
      button.addEventListener("click", act);
    };
    const waiting = notes.filter((note) => isWaiting(note, cache.settings.approve)).length;
    if (waiting > 0) offer(waiting, "waiting for your yes", "", "Look", () => void this.companion.openLearnt("waiting"));
    const due = reviewQueue(cache.present(), cache.settings.policy, this.companion.now()).length;
    offer(due, "to review", "mod-cta", "Review", () => void this.companion.openReview());
  }

  private drawScores(section: HTMLElement, items: readonly Standing[]): void {
    this.charted = items.filter(({ state }) => state !== "pinned");
    const pinned = items.length - this.charted.length;
    const shown = `${this.charted.length} short-term`;
    heading(section, "Scores", pinned > 0 ? `${shown}, ${pinned} pinned not shown` : shown);
    this.chart = section.createDiv({ cls: "mnemex-chart" });
  }

  private drawChart(): void {
    if (!this.chart) return;
    this.width = this.chart.clientWidth;
    const size = { width: this.width || 480, height: CHART_HEIGHT };
    drawHistogram(this.chart, this.charted, this.companion.cache.settings.policy, size);
  }

  private drawFading(section: HTMLElement, items: readonly Standing[], now: number): void {
    const words = this.companion.words();
    const soon = items
      .filter(({ state, fadesAt }) => state !== "pinned" && fadesAt !== null && fadesAt <= now + WINDOW_DAYS * DAY)
      .sort(byDaysLeft);
    heading(section, `Fades in the next ${WINDOW_DAYS} days`, quantity(soon.length, words.locale));
    if (soon.length === 0) {
      section.createEl("p", { cls: "mnemex-none", text: "Nothing fades in this time." });
      return;
    }
    const timeline = section.createDiv({ cls: "mnemex-tl" });
    for (const item of soon.slice(0, MOST_FADING)) this.drawFadingRow(timeline, item, now, words);
    this.drawAxis(timeline, now, words);
    if (soon.length <= MOST_FADING) return;
    const more = section.createEl("button", { cls: "mnemex-textbtn", text: `${soon.length - MOST_FADING} more` });
    more.addEventListener("click", () => void this.companion.openReview());
  }

  private drawFadingRow(timeline: HTMLElement, item: Standing, now: number, words: Words): void {
    const row = timeline.createDiv({ cls: "mnemex-tl-row" });
    this.link(row, item.note.memory.title, item.note.path);
    const at = Math.max(now, item.fadesAt ?? now);
    const mark = row.createSpan({ cls: "mnemex-tl-track" }).createEl("i", { attr: { "data-state": item.state } });
    mark.setCssProps({ "--mnemex-x": `${(((at - now) / (WINDOW_DAYS * DAY)) * 100).toFixed(1)}%` });
    row.createSpan({ cls: "mnemex-tl-day", text: words.day(at, now) });
  }

  private link(row: HTMLElement, text: string, path: string): void {
    const title = row.createEl("a", { cls: "mnemex-title", text, href: "#" });
    title.addEventListener("click", (event) => {
      event.preventDefault();
      void this.companion.openNote(path);
    });
  }

  private drawAxis(timeline: HTMLElement, now: number, words: Words): void {
    const axis = timeline.createDiv({ cls: "mnemex-tl-axis" });
    axis.createSpan();
    const ticks = axis.createSpan({ cls: "mnemex-tl-ticks" });
    for (const share of [0, 0.5, 1]) {
      const text = share === 0 ? "today" : words.day(now + share * WINDOW_DAYS * DAY, now);
      ticks.createSpan({ text }).setCssProps({ "--mnemex-x": `${share * 100}%` });
    }
    axis.createSpan();
  }

  private drawChanges(section: HTMLElement, now: number): void {
    const { cache, journal } = this.companion;
    const changes = recentChanges(journal.all(), cache.all(), cache.settings.policy, now);
    heading(section, "Recent changes", changes.length > 0 ? "every change can be undone" : "");
    if (changes.length === 0) section.createEl("p", { cls: "mnemex-none", text: "Nothing changed in the last 14 days." });
    let day = "";
    for (const change of changes) {
      const heading = this.companion.words().dayHeading(change.at, now);
      this.drawChange(section, change, heading === day ? "" : heading);
      day = heading;
    }
  }

  private drawChange(section: HTMLElement, change: RecentChange, day: string): void {
    const row = section.createDiv({ cls: change.undone ? "mnemex-ch is-undone" : "mnemex-ch" });
    row.createSpan({ cls: "mnemex-ch-day", text: day });
    setIcon(row.createSpan({ cls: "mnemex-icon" }), change.icon);
    const path = (change.note ?? cacheOf(change, this.companion))?.path;
    if (path === undefined) row.createSpan({ cls: "mnemex-title", text: change.title });
    else this.link(row, change.title, path);
    row.createSpan({ cls: "mnemex-ch-what", text: change.what });
    row.createSpan({ cls: "mnemex-ch-time", text: this.companion.words().time(change.at) });
    const text = change.undone ? "Redo" : "Undo";
    const label = `${text}: ${change.what}, ${change.title}`;
    const button = row.createEl("button", { cls: "mnemex-textbtn", text, attr: { type: "button", "aria-label": label } });
    button.addEventListener("click", () => void this.turn(change));
  }

  private async turn({ change, note, undone, what }: RecentChange): Promise<void> {
    if (change) await (undone ? this.companion.redo(change) : this.companion.takeBack(change));
    else if (note) {
      await this.companion.perform(note, (actions, it) => (what === "promoted" ? actions.demote(it) : actions.restore(it)));
    }
  }
}

function cacheOf({ change }: RecentChange, { cache }: Companion): MemoryNote | null {
  return change ? cache.withId(change.memoryId) : null;
}

function heading(section: HTMLElement, text: string, note: string): void {
  const el = section.createEl("h6", { text });
  if (note !== "") el.createSpan({ text: note });
}
