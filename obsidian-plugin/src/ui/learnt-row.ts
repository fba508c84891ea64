/** The lines of the stream: days, memories, and the field in which one is changed. */

import type { Instant } from "../domain/memory";
import type { MemoryNote } from "../obsidian/memory-cache";
import { Bar } from "./bar";
import { lineId } from "./focus-list";
import { iconButton, ICONS, textButton } from "./icons";
import type { BelowLine, DayLine, LearntLine, StreamLine } from "./learnt-model";
import { onLongPress } from "./long-press";
import type { Standing } from "./standing";
import { TextEditor } from "./text-editor";
import type { LineView } from "./virtual-list";
import { quantity, type Words } from "./words";

/** What can be done to a memory by one key, in the order in which it is offered. */
export const DEEDS = [
  { deed: "keep", key: "1", label: "Keep", icon: ICONS.use },
  { deed: "fix", key: "e", label: "Fix", icon: ICONS.edit },
  { deed: "let go", key: "3", label: "Let go", icon: ICONS.archive },
  { deed: "outdate", key: "4", label: "Not true any more", icon: ICONS.outdated },
] as const;

export type Deed = (typeof DEEDS)[number]["deed"];

/** What was done to a memory here, and can be taken back. */
export interface Done {
  readonly text: string;
  undo(): void;
}

/** A text that is being changed, or written anew in place of another. */
export interface Editing {
  readonly mode: "fix" | "successor";
  readonly typed: string;
}

export interface StreamContext {
  readonly touch: boolean;
  words(): Words;
  now(): Instant;
  standing(note: MemoryNote): Standing;
  /** Tell whether it is a stranger's, and waits for a yes. */
  waits(note: MemoryNote): boolean;
  textOf(note: MemoryNote): string;
  whenOf(item: Standing): string;
  timeOf(line: LearntLine): string;
  doneTo(note: MemoryNote): Done | null;
  editing(): Editing | null;
  hasDailyNote(day: string): boolean;
  isFocused(line: StreamLine): boolean;
  act(deed: Deed, line: LearntLine): void;
  open(note: MemoryNote, event: MouseEvent): void;
  choose(line: LearntLine): void;
  menu(note: MemoryNote, event: MouseEvent): void;
  openDay(day: string): void;
  openTrail(session: string): void;
  typed(text: string): void;
  submit(text: string): void;
  cancel(): void;
}

const ORIGIN_WORDS: Readonly<Record<string, string>> = { ai: "assistant", web: "web", import: "import" };

const WAITS = "waits for your yes";

/** Say who wrote a memory; nothing of a person. */
export function originWord(origin: string | null): string {
  return ORIGIN_WORDS[origin ?? ""] ?? "";
}

/** Create the view of a line. */
export function createStreamLine(line: StreamLine, parent: HTMLElement, context: StreamContext): LineView<StreamLine> {
  if (line.kind === "day") return new DayView(parent, context);
  if (line.kind === "learnt") return new LearntRow(parent, context);
  return new BelowView(parent, line, context);
}

class DayView implements LineView<StreamLine> {
  readonly el: HTMLElement;
  private readonly self: HTMLElement;
  private shown = "";

  constructor(parent: HTMLElement, private readonly context: StreamContext) {
    this.el = parent.createDiv({ cls: "tree-item mnemex-day", attr: { role: "treeitem", "aria-level": "1", "aria-expanded": "true" } });
    this.self = this.el.createDiv({ cls: "mnemex-day-self" });
  }

  update(line: StreamLine): void {
    if (line.kind !== "day") return;
    this.el.id = lineId(line);
    this.self.toggleClass("has-focus", this.context.isFocused(line));
    const words = this.context.words();
    const heading = line.label ?? words.dayHeading(line.at, this.context.now());
    const daily = line.day !== "" && this.context.hasDailyNote(line.day);
    const shown = `${heading} ${line.count} ${daily}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.fill(line, heading, daily);
  }

  private fill(line: DayLine, heading: string, daily: boolean): void {
    this.self.empty();
    this.self.createSpan({ cls: "mnemex-day-name", text: heading });
    this.self.createSpan({ cls: "tree-item-flair", text: quantity(line.count, this.context.words().locale) });
    this.el.setAttribute("aria-label", `${heading}, ${line.count} memories`);
    if (!daily) return;
    const button = textButton(this.self, ICONS.day, "Daily note", () => this.context.openDay(line.day));
    button.addClass("mnemex-textbtn");
    button.tabIndex = -1;
  }
}

class LearntRow implements LineView<StreamLine> {
  readonly el: HTMLElement;
  private readonly self: HTMLElement;
  private readonly mark: HTMLElement;
  private readonly title: HTMLElement;
  private readonly time: HTMLElement;
  private readonly what: HTMLElement;
  private readonly bar: Bar;
  private readonly when: HTMLElement;
  private readonly from: HTMLElement;
  private readonly session: HTMLElement;
  private readonly undo: HTMLElement;
  private line: LearntLine | null = null;

  constructor(parent: HTMLElement, private readonly context: StreamContext) {
    this.el = parent.createDiv({ cls: "tree-item mnemex-row mnemex-learnt-row", attr: { role: "treeitem", "aria-level": "2" } });
    this.self = this.el.createDiv({ cls: "tree-item-self is-clickable" });
    const top = this.self.createDiv({ cls: "mnemex-row-top" });
    this.mark = top.createSpan({ cls: "mnemex-new-mark", attr: { "aria-hidden": "true" } });
    this.title = top.createSpan({ cls: "mnemex-title" });
    this.time = top.createSpan({ cls: "mnemex-score" });
    this.makeDeeds(top.createSpan({ cls: "mnemex-row-actions" }));
    const sub = this.self.createDiv({ cls: "mnemex-row-sub" });
    this.what = sub.createSpan({ cls: "mnemex-what" });
    this.bar = new Bar(sub);
    this.when = sub.createSpan({ cls: "mnemex-when" });
    this.from = sub.createSpan({ cls: "mnemex-from" });
    this.session = sub.createEl("button", { cls: "mnemex-session", attr: { type: "button", tabindex: "-1" } });
    this.undo = sub.createEl("button", { cls: "mnemex-session mnemex-undo", text: "Undo", attr: { type: "button", tabindex: "-1" } });
    this.listen();
  }

  update(line: StreamLine): void {
    if (line.kind !== "learnt") return;
    this.line = line;
    this.el.id = lineId(line);
    this.el.setAttribute("aria-posinset", String(line.position));
    this.el.setAttribute("aria-setsize", String(line.size));
    this.self.toggleClass("has-focus", this.context.isFocused(line));
    this.el.toggleClass("is-new", line.isNew);
    this.mark.toggle(line.isNew);
    this.fill(line);
  }

  private listen(): void {
    const { context } = this;
    this.self.addEventListener("click", (event) => {
      if (!this.line) return;
      if (context.touch) context.choose(this.line);
      else context.open(this.line.note, event);
    });
    this.self.addEventListener("auxclick", (event) => {
      if (event.button === 1 && this.line) context.open(this.line.note, event);
    });
    onLongPress(this.self, (event) => this.line && context.menu(this.line.note, event));
    this.session.addEventListener("click", (event) => {
      event.stopPropagation();
      const session = this.line?.note.memory.session;
      if (session) context.openTrail(session);
    });
    this.undo.addEventListener("click", (event) => {
      event.stopPropagation();
      if (this.line) context.doneTo(this.line.note)?.undo();
    });
  }

  private makeDeeds(parent: HTMLElement): void {
    for (const { deed, icon, label } of DEEDS) {
      const button = iconButton(parent, icon, label, () => this.line && this.context.act(deed, this.line));
      button.tabIndex = -1;
    }
  }

  private fill(line: LearntLine): void {
    const { context } = this;
    const { memory, tier } = line.note;
    const item = context.standing(line.note);
    const done = context.doneTo(line.note);
    const session = memory.session ?? "";
    const said = {
      isNew: line.isNew ? "new" : "",
      text: context.textOf(line.note),
      what: done?.text ?? [...line.what, context.waits(line.note) ? WAITS : []].flat().join(", "),
      when: context.whenOf(item),
      session,
      time: context.timeOf(line),
    };
    this.title.setText(said.text);
    this.title.toggleClass("mnemex-dim", tier === "archived");
    this.time.setText(said.time);
    this.what.setText(said.what);
    this.el.toggleClass("is-done", done !== null);
    this.el.toggleClass("is-archived", tier === "archived");
    this.el.toggleClass("is-permanent", tier === "long-term");
    this.bar.show(item);
    this.when.setText(said.when);
    this.from.setText(originWord(memory.origin));
    this.session.setText(session);
    this.session.toggle(session !== "" && done === null);
    this.undo.toggle(done !== null);
    this.el.setAttribute("aria-label", Object.values(said).filter((part) => part !== "").join(", "));
  }
}

class BelowView implements LineView<StreamLine> {
  readonly el: HTMLElement;

  constructor(parent: HTMLElement, line: BelowLine, context: StreamContext) {
    this.el = parent.createDiv({ cls: "tree-item mnemex-below", attr: { role: "treeitem", "aria-level": "3" } });
    this.el.id = lineId(line);
    if (line.kind === "actions") this.makeDeeds(line.of, context);
    else this.makeEditor(context);
    this.el.setAttribute("aria-label", line.kind === "actions" ? "What can be done" : "Text of the memory");
  }

  update(): void {
    // what is typed stays; the row above is drawn anew
  }


  private makeDeeds(line: LearntLine, context: StreamContext): void {
    const add = (label: string, icon: string, act: () => void): void => {
      const button = textButton(this.el, icon, label, act);
      button.addClass("mnemex-textbtn");
    };
    for (const { deed, label, icon } of DEEDS) add(label, icon, () => context.act(deed, line));
    const { session } = line.note.memory;
    if (session !== null) add("Conversation", ICONS.trail, () => context.openTrail(session));
    add("Open", ICONS.note, () => context.open(line.note, new MouseEvent("click")));
  }

  private makeEditor(context: StreamContext): void {
    const editing = context.editing();
    const fixes = editing?.mode !== "successor";
    new TextEditor(this.el, {
      label: fixes ? "Text of this memory" : "What is true now?",
      placeholder: fixes ? "" : "What is true now? Leave it empty if nothing takes its place.",
      text: editing?.typed ?? "",
      save: fixes ? "Save" : "Remember",
      sentence: !fixes,
      typed: (text) => context.typed(text),
      submit: (text) => context.submit(text),
      cancel: () => context.cancel(),
    });
  }
}

/** Put the focus into the field of a line that is shown. */
export function focusEditor(el: HTMLElement | null): void {
  const area = el?.querySelector("textarea");
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** Write the keys and what they do. */
export function drawLegend(parent: HTMLElement): void {
  const legend = parent.createDiv({ cls: "mnemex-legend", attr: { "aria-hidden": "true" } });
  const all = [...DEEDS.map(({ key, label }) => [key.toUpperCase(), label] as const), ["Z", "Undo"], ["C", "Conversation"], ["D", "Daily note"], ["Enter", "Open"]] as const;
  for (const [key, label] of all) {
    const entry = legend.createSpan();
    entry.createEl("kbd", { text: key });
    entry.appendText(label);
  }
}
