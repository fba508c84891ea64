/** The line under the title of a memory note, in every pane that shows one. */

import { Component, MarkdownView } from "obsidian";
import { Bar } from "./bar";
import type { Action, Companion } from "./companion";
import { ICONS, textButton } from "./icons";
import { archival, farewells, standing, type Farewells, type Standing } from "./standing";
import { figure, used, type Words } from "./words";
import type { MemoryNote } from "../obsidian/memory-cache";

const LINE = "mnemex-line";
const MEMORY_NOTE = "mnemex-memory-note";
const HIDE_BOOKKEEPING = "mnemex-hide-bookkeeping";

export interface LinePart {
  readonly text: string;
  readonly icon?: string;
  readonly action?: Action;
}

/** Return what the line says and offers. */
export function lineParts(item: Standing, gone: Farewells, words: Words, now: number): LinePart[] {
  const { tier, memory } = item.note;
  const { usage } = memory;
  const uses: LinePart = { text: used(usage.useCount) };
  const use: LinePart = { text: "Use", icon: ICONS.use, action: (actions, note) => actions.use(note) };
  if (tier === "archived") {
    const { at } = archival(item, gone, now);
    const when = at === null ? "Archived" : `Archived ${words.day(at, now)}`;
    const restore: LinePart = { text: "Restore", icon: ICONS.restore, action: (actions, note) => actions.restore(note) };
    return [{ text: `${when}, score ${figure(item.score)}` }, uses, restore];
  }
  if (tier === "long-term") {
    const demote: LinePart = { text: "Demote", icon: ICONS.demote, action: (actions, note) => actions.demote(note) };
    const since = usage.promoted === null ? "Long-term" : `Long-term since ${words.day(usage.promoted, now)}`;
    return [{ text: since }, uses, use, demote];
  }
  if (usage.pinned) {
    const unpin: LinePart = { text: "Unpin", icon: ICONS.pin, action: (actions, note) => actions.pin(note, false) };
    return [{ text: "Pinned" }, uses, use, unpin];
  }
  const pin: LinePart = { text: "Pin", icon: ICONS.pin, action: (actions, note) => actions.pin(note, true) };
  return [{ text: `Score ${figure(item.score)}` }, { text: words.fadesOn(item.fadesAt, now) }, uses, use, pin];
}

export class NoteLines extends Component {
  constructor(private readonly companion: Companion) {
    super();
  }

  override onload(): void {
    const { app } = this.companion;
    const refresh = (): void => this.refresh();
    this.registerEvent(app.workspace.on("layout-change", refresh));
    this.registerEvent(app.workspace.on("file-open", refresh));
    this.registerEvent(app.workspace.on("active-leaf-change", refresh));
    this.register(() => this.clear());
  }

  /** Bring the lines of all panes up to date. */
  refresh(): void {
    const { app, cache, preferences } = this.companion;
    for (const leaf of app.workspace.getLeavesOfType("markdown")) {
      const { view } = leaf;
      if (!(view instanceof MarkdownView)) continue;
      const note = view.file ? cache.at(view.file.path) : null;
      view.containerEl.toggleClass(MEMORY_NOTE, note !== null);
      view.containerEl.toggleClass(HIDE_BOOKKEEPING, note !== null && preferences.hideBookkeeping);
      for (const place of placesIn(view.containerEl)) this.fill(place, preferences.showLine ? note : null);
    }
  }

  private fill(place: Place, note: MemoryNote | null): void {
    const old = place.parent.querySelector<HTMLElement>(`:scope > .${LINE}`);
    if (!note) {
      old?.remove();
      return;
    }
    const { cache, journal } = this.companion;
    const now = this.companion.now();
    const item = standing(note, cache.settings.policy, now);
    const gone = farewells(note.tier === "archived" ? cache.all() : [], journal.all());
    const line = createDiv({ cls: LINE, attr: { role: "group", "aria-label": "Memory" } });
    if (note.tier === "short-term") new Bar(line).show(item);
    const parts = lineParts(item, gone, this.companion.words(), now);
    for (const [index, part] of parts.entries()) {
      if (index > 0) line.createEl("i", { text: "·", attr: { "aria-hidden": "true" } });
      this.add(line, part, note);
    }
    if (old) replaceKeepingFocus(old, line);
    else place.parent.insertBefore(line, place.before);
  }

  private add(line: HTMLElement, part: LinePart, note: MemoryNote): void {
    const { action, icon } = part;
    if (!action || icon === undefined) line.createSpan({ text: part.text });
    else textButton(line, icon, part.text, () => void this.companion.perform(note, action, true));
  }

  private clear(): void {
    const { workspace } = this.companion.app;
    for (const leaf of workspace.getLeavesOfType("markdown")) {
      const { containerEl } = leaf.view;
      containerEl.removeClasses([MEMORY_NOTE, HIDE_BOOKKEEPING]);
      for (const line of Array.from(containerEl.querySelectorAll(`.${LINE}`))) line.remove();
    }
  }
}

function replaceKeepingFocus(old: HTMLElement, line: HTMLElement): void {
  const focused = Array.from(old.querySelectorAll("button")).findIndex((button) => button === old.doc.activeElement);
  old.replaceWith(line);
  if (focused >= 0) line.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}

interface Place {
  readonly parent: Element;
  readonly before: Element | null;
}

// the app has no place of its own for this; below the inline title, else above the text, in both modes
function placesIn(container: HTMLElement): Place[] {
  const titles = Array.from(container.querySelectorAll(".cm-sizer > .inline-title, .mod-header > .inline-title"));
  if (titles.length > 0) {
    return titles.flatMap((title) => {
      const parent = title.parentElement;
      const next = title.nextElementSibling;
      const before = next?.hasClass(LINE) === true ? next.nextElementSibling : next;
      return parent ? [{ parent, before }] : [];
    });
  }
  const sizers = Array.from(container.querySelectorAll(".cm-sizer, .markdown-preview-sizer > .mod-header"));
  return sizers.map((parent) => ({ parent, before: parent.firstElementChild }));
}
