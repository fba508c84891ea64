/** A list of memories under headings, each put right with one key and changed in place: the ground of two views. */

import { ItemView, Keymap, Platform, type WorkspaceLeaf } from "obsidian";
import { isWaiting } from "../domain/trust";
import { writeDay } from "../notes/dates";
import { type Draft, draftOf, written } from "../notes/draft";
import { bodyOf } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { titleFrom } from "../notes/names";
import { DailyNotes } from "../obsidian/daily-notes";
import { FirstLines } from "../obsidian/first-lines";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Companion } from "./companion";
import { showNothingYet } from "./empty";
import { asksForMenu, clickAt, FocusList } from "./focus-list";
import { textButton } from "./icons";
import type { BelowLine, LearntLine, StreamLine } from "./learnt-model";
import { createStreamLine, type Deed, DEEDS, type Done, drawLegend, type Editing, focusEditor } from "./learnt-row";
import { memoryMenu } from "./memory-menu";
import { DONE } from "./notices";
import { type Heights, lineHeights } from "./panel-list";
import { archival, type Farewells, farewells, type Standing, standing } from "./standing";

const MINUTE = 60_000;
const BELOW_HEIGHT = 132;
const SHOWN_VERBS = new Set(["kept", "used", "promoted", "let go", "outdated", "edited", "restored", "approved"]);

interface Open extends Editing {
  /** The line below which the field stands. */
  readonly key: string;
  readonly note: MemoryNote;
  readonly draft: Draft;
  /** The name of the note that is replaced. */
  readonly stem: string;
}

export abstract class StreamView extends ItemView {
  protected head: HTMLElement | null = null;
  protected list: FocusList<StreamLine> | null = null;
  private empty: HTMLElement | null = null;
  private announcer: HTMLElement | null = null;
  private heights: Heights | null = null;
  private daily: DailyNotes | null = null;
  protected readonly texts: FirstLines;
  protected lines: readonly StreamLine[] = [];
  private open: Open | null = null;
  private chosen: string | null = null;
  // of what stands below a memory, as width and font let it be
  private belowHeight = BELOW_HEIGHT;
  protected day = "";
  private gone: Farewells | null = null;
  // what the lines were made of: with the same they need not be made anew
  private made = "";

  constructor(leaf: WorkspaceLeaf, protected readonly companion: Companion) {
    super(leaf);
    this.navigation = true;
    this.texts = new FirstLines(companion.app, () => this.list?.render());
  }

  override async onOpen(): Promise<void> {
    const root = this.contentEl;
    root.empty();
    root.addClass("mnemex-learnt");
    this.announcer = root.createDiv({ cls: "mnemex-announcer", attr: { "aria-live": "polite", role: "status" } });
    this.head = root.createDiv({ cls: "mnemex-learnt-head" });
    this.list = this.makeList(root);
    this.empty = root.createDiv({ cls: "mnemex-empty" });
    if (!Platform.isMobile) drawLegend(root);
    const { cache, journal, app } = this.companion;
    this.register(cache.onChange(() => this.refresh()));
    this.register(journal.onChange(() => this.refresh()));
    this.registerEvent(app.workspace.on("active-leaf-change", () => this.refresh()));
    this.registerInterval(this.containerEl.win.setInterval(() => this.tick(), MINUTE));
    this.refresh();
    this.daily = await DailyNotes.of(app);
    this.list.render();
  }

  override async onClose(): Promise<void> {
    this.list?.destroy();
    this.contentEl.empty();
  }

  override onResize(): void {
    this.refresh();
    if (this.open !== null || this.chosen !== null) this.showLines();
  }

  private makeList(root: HTMLElement): FocusList<StreamLine> {
    const { companion } = this;
    const heights = lineHeights(root, Platform.isMobile);
    this.heights = heights;
    const context = {
      touch: Platform.isMobile,
      words: () => companion.words(),
      now: () => companion.now(),
      standing: (note: MemoryNote) => standing(note, companion.cache.settings.policy, companion.now()),
      waits: (note: MemoryNote) => isWaiting(note, companion.cache.settings.approve),
      textOf: (note: MemoryNote) => this.texts.of(note),
      whenOf: (item: Standing) => this.whenOf(item),
      doneTo: (note: MemoryNote) => this.doneTo(note),
      editing: () => this.open,
      hasDailyNote: (day: string) => this.daily?.of(day) != null,
      isFocused: (line: StreamLine) => this.list?.isFocused(line) ?? false,
      act: (deed: Deed, line: LearntLine) => void this.act(deed, line),
      open: (note: MemoryNote, event: MouseEvent) => void companion.openNote(note.path, Keymap.isModEvent(event)),
      choose: (line: LearntLine) => this.choose(line),
      menu: (note: MemoryNote, event: MouseEvent) => memoryMenu(note, companion).showAtMouseEvent(event),
      openDay: (day: string) => void this.openDay(day),
      openTrail: (session: string) => this.openTrail(session),
      timeOf: (line: LearntLine) => this.timeOf(line),
      typed: (typed: string) => {
        if (this.open) this.open = { ...this.open, typed };
      },
      submit: (text: string) => void this.submit(text),
      cancel: () => this.close(true),
    };
    return new FocusList<StreamLine>(root, {
      label: this.getDisplayText(),
      height: (line) => this.heightOf(line, heights),
      create: (line, ground) => createStreamLine(line, ground, context),
      act: (event, line) => this.onKey(event, line),
      takesFocus: (line) => line.kind === "learnt",
      pageHeight: heights.memory,
      leaveUp: () => this.head?.querySelector("button")?.focus(),
    });
  }

  private heightOf(line: StreamLine, heights: Heights): number {
    if (line.kind === "editor" || line.kind === "actions") return this.belowHeight;
    return line.kind === "day" ? heights.group + 8 : heights.memory;
  }

  /** Make the lines anew. */
  protected abstract makeLines(): readonly StreamLine[];

  /** Say at the head what is shown. */
  protected abstract say(parent: HTMLElement): void;

  /** Offer at the head where one can go from here. */
  protected abstract offer(parent: HTMLElement): void;

  /** Return how a row says when it happened. */
  protected abstract timeOf(line: LearntLine): string;

  protected abstract openTrail(session: string): void;

  /** Return what the lines depend on besides the memories. */
  protected variant(): string {
    return "";
  }

  protected outOfSight(): void {
    // a view may want to know
  }

  protected refresh(): void {
    const { list, companion } = this;
    if (!list || !this.heights || !companion.cache.ready) return;
    const { cache } = companion;
    if (!this.contentEl.isShown()) {
      this.made = "";
      this.outOfSight();
      return;
    }
    this.day = writeDay(companion.now(), cache.settings.zone);
    const made = JSON.stringify([cache.revision, companion.journal.revision, this.day, this.variant()]);
    if (made === this.made) {
      list.render();
      return;
    }
    this.made = made;
    this.gone = null;
    this.lines = this.makeLines();
    this.drawHead();
    this.showEmpty();
    this.showLines();
  }

  // what is said of today holds until midnight
  private tick(): void {
    if (!this.contentEl.isShown()) return;
    if (writeDay(this.companion.now(), this.companion.cache.settings.zone) === this.day) this.list?.render();
    else this.refresh();
  }

  private showLines(): void {
    const { list } = this;
    if (!list) return;
    const lines = this.withBelow();
    list.show(lines);
    const below = lines.find((line) => line.kind === "editor" || line.kind === "actions");
    const height = below ? list.elementOf(below.key)?.offsetHeight : undefined;
    if (!height || height === this.belowHeight) return;
    this.belowHeight = height;
    list.show(lines);
  }

  private reveal(key: string): void {
    if (this.list) this.list.reveal(this.list.indexOf(key));
  }

  private withBelow(): StreamLine[] {
    const below = this.open ? ({ kind: "editor", after: this.open.key } as const) : ({ kind: "actions", after: this.chosen } as const);
    return this.lines.flatMap((line) => {
      if (line.kind !== "learnt" || line.key !== below.after) return [line];
      const under: BelowLine = { kind: below.kind, key: `${line.key}/${below.kind}`, of: line };
      return [line, under];
    });
  }

  private drawHead(): void {
    const { head } = this;
    if (!head) return;
    const focused = Array.from(head.querySelectorAll("button")).findIndex((button) => button === head.doc.activeElement);
    head.empty();
    const text = head.createDiv({ cls: "mnemex-learnt-said" });
    this.say(text);
    this.offer(head.createDiv({ cls: "mnemex-learnt-buttons" }));
    if (focused >= 0) head.querySelectorAll("button")[focused]?.focus();
  }

  private showEmpty(): void {
    const { empty, list, companion } = this;
    if (!empty || !list) return;
    const nothing = this.lines.length === 0;
    empty.toggle(nothing);
    list.el.toggle(!nothing);
    if (!nothing || empty.childElementCount > 0) return;
    showNothingYet(empty, { connect: () => companion.openSetup(), write: () => companion.writeMemory() });
  }

  private whenOf(item: Standing): string {
    const { companion } = this;
    const now = companion.now();
    if (item.note.tier === "archived") {
      const { cache, journal } = companion;
      this.gone ??= farewells(cache.all(), journal.all());
      return archival(item, this.gone, now).how;
    }
    if (item.state === "pinned") return "pinned";
    return item.note.tier === "long-term" ? "long-term" : companion.words().fades(item.fadesAt, now);
  }

  protected doneTo({ memory }: MemoryNote): Done | null {
    const { journal, companion } = { journal: this.companion.journal, companion: this.companion };
    const last = [...journal.all()].reverse().find(({ memoryId, undone }) => memoryId === memory.id && !undone);
    if (!last || !SHOWN_VERBS.has(last.verb)) return null;
    if (writeDay(last.at, companion.cache.settings.zone) !== this.day) return null;
    return { text: DONE[last.verb].toLowerCase(), undo: () => void companion.takeBack(last) };
  }

  private onKey(event: KeyboardEvent, line: StreamLine): boolean {
    if (line.kind !== "learnt") return false;
    const { companion } = this;
    if (event.key === "Enter") void companion.openNote(line.note.path, Keymap.isModEvent(event));
    else if (asksForMenu(event)) this.menu(line, event);
    else return !Keymap.isModifier(event, "Mod") && !event.altKey && this.onPlainKey(event.key.toLowerCase(), line);
    return true;
  }

  private menu(line: LearntLine, event: KeyboardEvent): void {
    const el = this.list?.elementOf(line.key) ?? this.contentEl;
    memoryMenu(line.note, this.companion).showAtMouseEvent(clickAt(el, event));
  }

  private onPlainKey(key: string, line: LearntLine): boolean {
    const deed = DEEDS.find((one) => one.key === key)?.deed;
    const { session } = line.note.memory;
    if (deed) void this.act(deed, line);
    else if (key === "z") void this.companion.undoLast();
    else if (key === "c" && session !== null) this.openTrail(session);
    else if (key === "d") void this.openDay(writeDay(line.at, this.companion.cache.settings.zone));
    else return false;
    return true;
  }

  private async act(deed: Deed, line: LearntLine): Promise<void> {
    const note = this.companion.cache.withId(line.note.memory.id);
    if (!note) return;
    if (deed === "fix") await this.fix(line, note);
    else if (deed === "outdate") await this.outdate(line, note);
    else await this.settle(deed, note);
  }

  private async settle(deed: "keep" | "let go", note: MemoryNote): Promise<void> {
    const gone = note.tier === "archived";
    if (deed === "let go" && gone) return;
    const { title } = note.memory;
    const change = await this.companion.perform(
      note,
      (actions, it) => (deed === "let go" ? actions.archive(it) : gone ? actions.restore(it) : actions.keep(it)),
      true,
    );
    if (change) this.announcer?.setText(`${DONE[change.verb]}: ${title}. Z takes it back.`);
    if (this.chosen !== null) this.close();
  }

  private async fix(line: LearntLine, note: MemoryNote): Promise<void> {
    const file = this.app.vault.getFileByPath(note.path);
    if (!file) return;
    const draft = draftOf(asGiven(bodyOf(await this.app.vault.read(file)), note.memory.origin));
    this.edit({ key: line.key, mode: "fix", typed: draft.shown, note, draft, stem: file.basename });
  }

  private async outdate(line: LearntLine, note: MemoryNote): Promise<void> {
    if (note.tier === "archived") return;
    const change = await this.companion.perform(note, (actions, it) => actions.outdate(it), true);
    if (!change) return;
    const stem = change.to.slice(change.to.lastIndexOf("/") + 1).replace(/\.md$/, "");
    this.edit({ key: line.key, mode: "successor", typed: "", note, draft: draftOf(""), stem });
  }

  private edit(open: Open): void {
    this.open = open;
    this.chosen = null;
    this.showLines();
    const key = `${open.key}/editor`;
    this.reveal(key);
    focusEditor(this.list?.elementOf(key) ?? null);
  }

  private async submit(typed: string): Promise<void> {
    const { open, companion } = this;
    if (!open) return;
    if (open.mode === "successor") {
      const content = typed.trim();
      const { note, stem } = open;
      if (content !== "") await companion.remember({ content, title: titleFrom(content), replaces: { note, stem } });
      this.close(true);
      return;
    }
    const unchanged = typed.trim() === open.draft.shown;
    const change = unchanged
      ? true
      : await companion.perform(open.note, (actions, it) => actions.edit(it, open.draft.seen, written(open.draft, typed)), true);
    if (change !== null) this.close(true);
  }

  private choose(line: LearntLine): void {
    this.open = null;
    this.chosen = this.chosen === line.key ? null : line.key;
    this.showLines();
    this.reveal(`${line.key}/actions`);
  }

  protected close(focus = false): void {
    this.open = null;
    this.chosen = null;
    this.showLines();
    if (focus) this.list?.focus();
  }

  private async openDay(day: string): Promise<void> {
    const file = this.daily?.of(day);
    if (file) await this.companion.openNote(file.path);
  }
}

/** Add one button of the head. */
export function headButton(parent: HTMLElement, icon: string, text: string, act: () => void): void {
  textButton(parent, icon, text, act).addClass("mnemex-textbtn");
}
