/** The review: one memory at a time, kept, promoted or let go, and of two that conflict the true one; it has an end. */

import { ItemView, MarkdownRenderer, Component, Scope, setIcon, type WorkspaceLeaf } from "obsidian";
import { fadesAt, peak } from "../domain/scoring";
import { use } from "../domain/reinforcement";
import { draftOf, written } from "../notes/draft";
import { bodyOf } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { writeDay } from "../notes/dates";
import { inert } from "../notes/inert";
import type { Change } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";
import { listedPairs } from "../obsidian/review-note";
import { isOpen, openConflicts, since } from "../obsidian/versions";
import { Bar } from "./bar";
import type { Companion } from "./companion";
import { drawCurve } from "./curve";
import { ICONS, textButton } from "./icons";
import { type ChoiceSpec, OF_ONE, OF_TWO } from "./review-choices";
import { drawEnd, drawProgress, endHeading } from "./review-page";
import { agenda, type Choice, fate, isForReview, type Item, ReviewQueue } from "./review-queue";
import { nextDue, reviewQueue, standing, type Standing } from "./standing";
import { TextEditor } from "./text-editor";
import { figure, quantity, used } from "./words";

export const REVIEW_VIEW = "mnemex-review";

const CURVE_HEIGHT = { wide: 170, narrow: 150 };

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export class ReviewView extends ItemView {
  private queue = new ReviewQueue([]);
  private busy = false;
  private drawn: readonly (MemoryNote | null)[] = [];
  private rendering: Component[] = [];
  private editing = false;
  private announcer: HTMLElement | null = null;
  private page: HTMLElement | null = null;

  constructor(leaf: WorkspaceLeaf, private readonly companion: Companion) {
    super(leaf);
    this.navigation = true;
  }

  getViewType(): string {
    return REVIEW_VIEW;
  }

  getDisplayText(): string {
    return "Review memories";
  }

  override getIcon(): string {
    return ICONS.review;
  }

  override async onOpen(): Promise<void> {
    const root = this.contentEl;
    root.addClass("mnemex-review-view");
    this.announcer = root.createDiv({ cls: "mnemex-announcer", attr: { "aria-live": "polite", role: "status" } });
    this.page = root.createDiv({ cls: "mnemex-review" });
    this.scope = this.keys();
    this.register(this.companion.cache.onChange(() => this.cacheChanged()));
    await this.restart();
  }

  override async onClose(): Promise<void> {
    this.stopRendering();
    this.contentEl.empty();
  }

  /** Begin anew with what is due now, as much of it as this day holds; `more` asks for another round. */
  async restart(more = false): Promise<void> {
    const { cache, preferences, reviewDay } = this.companion;
    const { policy, zone } = cache.settings;
    const now = this.companion.now();
    const today = writeDay(now, zone);
    const isFresh = ({ note: { memory } }: Standing): boolean => memory.usage.lastReview === null || writeDay(memory.usage.lastReview, zone) !== today;
    const due = reviewQueue(cache.present(), policy, now).filter(isFresh);
    const conflicts = openConflicts(cache.all(), await listedPairs(this.app, cache), cache.resolve);
    const room = preferences.reviewCap === 0 ? Infinity : Math.max(0, preferences.reviewCap - (more ? 0 : reviewDay.done));
    const loved = ({ note }: Standing): number => peak(note.memory.usage, policy);
    const all = agenda(conflicts, due, Infinity, loved).length;
    const items = agenda(conflicts, due, room, loved);
    this.queue = new ReviewQueue(items, all - items.length);
    this.editing = false;
    await this.draw();
  }

  // opened before the vault was looked through, or changed by someone else
  private cacheChanged(): void {
    if (this.queue.size === 0) void this.restart();
    else if (!this.busy && !this.editing && this.isOther(this.currentNotes())) void this.changedByOthers();
  }

  private isOther(notes: readonly (MemoryNote | null)[]): boolean {
    return notes.length !== this.drawn.length || notes.some((note, index) => note !== this.drawn[index]);
  }

  private async changedByOthers(): Promise<void> {
    const news = this.queue.current === null ? null : this.settledByOthers(this.currentNotes());
    if (news === null) return this.draw();
    this.queue.decide("gone", null);
    await this.next(news);
  }

  /** Say why there is nothing to decide any more; null if there is. */
  private settledByOthers(notes: readonly (MemoryNote | null)[]): string | null {
    if (!isForReview(notes)) {
      return this.drawn.flatMap((note) => (note && fate(note, this.companion.cache.withId(note.memory.id))) ?? [])[0] ?? "";
    }
    const [one, other] = notes;
    return !one || !other || isOpen(one, other, this.companion.cache.resolve) ? null : "Which of the two holds was said meanwhile.";
  }

  // the app asks the scope of the active view, wherever in it the focus is
  private keys(): Scope {
    const scope = new Scope(this.app.scope);
    const on = (key: string, act: () => Promise<void>): void => {
      scope.register([], key, (event) => {
        if (isTyping(event)) return;
        void act();
        return false;
      });
    };
    for (const place of [0, 1, 2]) on(`${place + 1}`, () => this.chooseAt(place));
    on("e", () => this.edit());
    on("s", () => this.skip());
    on("z", () => this.goBack());
    return scope;
  }

  private async chooseAt(place: number): Promise<void> {
    const spec = this.choices()[place];
    if (spec) await this.choose(spec);
  }

  private choices(): readonly ChoiceSpec[] {
    return this.queue.current?.length === 2 ? OF_TWO : OF_ONE;
  }

  private async choose(spec: ChoiceSpec): Promise<void> {
    const notes = this.currentNotes();
    if (this.busy || !isForReview(notes)) return;
    this.busy = true;
    try {
      const change = await spec.act(this.companion, notes);
      if (change) this.decide(spec.choice, change);
    } finally {
      this.busy = false;
    }
    await this.next();
  }

  private async skip(): Promise<void> {
    if (this.busy || this.queue.current === null) return;
    this.decide("skip", null);
    await this.next();
  }

  private decide(choice: Choice, change: Change | null): void {
    this.editing = false;
    this.queue.decide(choice, change);
    this.companion.reviewDay.add(1);
  }

  /** Change the text of the memory that is shown, in its place. */
  private async edit(): Promise<void> {
    const [note, other] = this.currentNotes();
    const body = this.page?.querySelector<HTMLElement>(".mnemex-rbody");
    const file = note && !other ? this.app.vault.getFileByPath(note.path) : null;
    if (!note || !body || !file || this.editing) return;
    const draft = draftOf(asGiven(bodyOf(await this.app.vault.read(file)), note.memory.origin));
    this.editing = true;
    body.empty();
    const close = async (): Promise<void> => {
      this.editing = false;
      await this.next();
    };
    const submit = async (typed: string): Promise<void> => {
      const kept = typed.trim() === draft.shown;
      const done = kept || (await this.companion.perform(note, (actions, it) => actions.edit(it, draft.seen, written(draft, typed)), true)) !== null;
      if (done) await close();
    };
    const options = { label: "Text of this memory", text: draft.shown, save: "Save", typed: () => undefined };
    new TextEditor(body, { ...options, submit: (typed) => void submit(typed), cancel: () => void close() }).focus();
  }

  private async goBack(): Promise<void> {
    const last = this.queue.lastMade;
    if (this.busy || !last) return;
    this.busy = true;
    try {
      if (last.change && !(await this.companion.takeBack(last.change))) return;
    } finally {
      this.busy = false;
    }
    this.queue.back();
    this.companion.reviewDay.add(-1);
    await this.next();
  }

  private async next(news = ""): Promise<void> {
    while (this.queue.current !== null && !isForReview(this.currentNotes())) this.queue.decide("gone", null);
    await this.draw(news);
    const { done, size } = this.queue;
    this.announcer?.setText(`${news} ${done < size ? `${done + 1} of ${size}` : endHeading(this.queue)}`.trim());
    this.focus();
  }

  /** Put the focus to what is asked, from where keys act and Tab goes on. */
  focus(): void {
    this.page?.querySelector<HTMLElement>(".mnemex-review-focus")?.focus();
  }

  private currentNotes(): readonly (MemoryNote | null)[] {
    const item: Item | readonly [] = this.queue.current ?? [];
    return item.map((id) => this.companion.cache.withId(id));
  }

  private async draw(news = ""): Promise<void> {
    const { page } = this;
    if (!page) return;
    this.stopRendering();
    const held = page.contains(page.doc.activeElement);
    page.empty();
    if (news !== "") page.createEl("p", { cls: "mnemex-news", text: news });
    const notes = this.currentNotes();
    this.drawn = notes;
    const [note, other] = notes;
    let drawn: Promise<void> | undefined;
    if (note && other) drawn = this.drawConflict(page, note, other);
    else if (note) drawn = this.drawMemory(page, note);
    else this.drawEnd(page);
    // what had the focus is gone, whoever asked for the page to be drawn anew
    if (held) this.focus();
    await drawn;
  }

  private stopRendering(): void {
    for (const component of this.rendering) this.removeChild(component);
    this.rendering = [];
  }

  private async drawConflict(page: HTMLElement, newer: MemoryNote, older: MemoryNote): Promise<void> {
    drawProgress(page, this.queue, this.companion.words().locale);
    const scroll = page.createDiv({ cls: "mnemex-rscroll" });
    scroll.createEl("h2", { cls: "mnemex-review-focus", text: "Which of these is true?", attr: { tabindex: "-1" } });
    const pair = scroll.createDiv({ cls: "mnemex-pair" });
    const bodies = [newer, older].map((note, index) => this.drawSide(pair, note, index === 0 ? "Newer" : "Older"));
    this.drawChoices(page, (choice) => (choice === "both" ? "Not asked again" : "The other stays as what was"));
    this.drawFoot(page);
    await Promise.all([newer, older].map(async (note, index) => this.renderBody(bodies[index] ?? pair, note)));
  }

  private drawSide(pair: HTMLElement, note: MemoryNote, label: string): HTMLElement {
    const words = this.companion.words();
    const now = this.companion.now();
    const side = pair.createEl("section");
    const { title, session } = note.memory;
    const when = [label, words.day(since(note), now), session ?? []].flat().join(" · ");
    side.createEl("p", { cls: "mnemex-pair-when", text: when });
    const link = side.createEl("a", { cls: "mnemex-pair-title", text: title, href: "#" });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      void this.companion.openNote(note.path, "tab");
    });
    return side.createDiv({ cls: "mnemex-rbody" });
  }

  private async drawMemory(page: HTMLElement, note: MemoryNote): Promise<void> {
    const { cache } = this.companion;
    const item = standing(note, cache.settings.policy, this.companion.now());
    drawProgress(page, this.queue, this.companion.words().locale);
    const scroll = page.createDiv({ cls: "mnemex-rscroll" });
    scroll.createEl("h2", { cls: "mnemex-review-focus", text: note.memory.title, attr: { tabindex: "-1" } });
    this.drawMeta(scroll, item);
    const body = scroll.createDiv({ cls: "mnemex-rbody" });
    const curve = scroll.createDiv({ cls: "mnemex-rcurve" });
    this.drawChoices(page, (choice) => this.outcome(choice, item));
    this.drawFoot(page);
    this.drawCurve(curve, item);
    await this.renderBody(body, note);
  }

  private drawMeta(parent: HTMLElement, item: Standing): void {
    const words = this.companion.words();
    const now = this.companion.now();
    const meta = parent.createEl("p", { cls: "mnemex-rmeta" });
    const { usage } = item.note.memory;
    new Bar(meta).show(item);
    meta.createSpan({ text: figure(item.score) });
    meta.createSpan({ text: words.fades(item.fadesAt, now) });
    meta.createSpan({ text: used(usage.useCount) });
    meta.createSpan({ text: `saved ${words.day(usage.created, now)}` });
  }

  private drawCurve(parent: HTMLElement, item: Standing): void {
    const width = Math.min(640, parent.clientWidth || 640);
    const height = width < 500 ? CURVE_HEIGHT.narrow : CURVE_HEIGHT.wide;
    drawCurve(parent, item, { width, height }, {
      name: "review",
      policy: this.companion.cache.settings.policy,
      words: this.companion.words(),
      now: this.companion.now(),
    });
  }

  private async renderBody(parent: HTMLElement, note: MemoryNote): Promise<void> {
    const file = this.app.vault.getFileByPath(note.path);
    if (!file) return;
    const text = bodyOf(await this.app.vault.cachedRead(file));
    const component = this.addChild(new Component());
    this.rendering.push(component);
    const { origin } = note.memory;
    const written = origin === null ? text : inert(asGiven(text, origin));
    await MarkdownRenderer.render(this.app, written, parent, note.path, component);
  }

  private drawChoices(page: HTMLElement, outcome: (choice: Choice) => string): void {
    const choices = page.createDiv({ cls: "mnemex-choices" });
    for (const spec of this.choices()) {
      const button = choices.createEl("button", { attr: { type: "button", "aria-keyshortcuts": spec.key } });
      const label = button.createSpan({ cls: "mnemex-ch-l" });
      setIcon(label.createSpan({ cls: "mnemex-icon" }), spec.icon);
      label.createSpan({ text: spec.label });
      label.createEl("kbd", { text: spec.key, attr: { "aria-hidden": "true" } });
      button.createEl("small", { text: outcome(spec.choice) });
      button.addEventListener("click", () => void this.choose(spec));
    }
  }

  private outcome(choice: Choice, item: Standing): string {
    if (choice === "promote") return "Long-term, never fades";
    if (choice === "let go") return "Archived, can be restored";
    const now = this.companion.now();
    const at = fadesAt(use(item.note.memory.usage, now, () => ""), this.companion.cache.settings.policy);
    return `Counts as a use, ${this.companion.words().fadesOn(at, now)}`;
  }

  private drawFoot(page: HTMLElement): void {
    const foot = page.createDiv({ cls: "mnemex-rfoot" });
    const undo = foot.createSpan();
    if (this.queue.lastMade) this.footButton(undo, ICONS.undo, "Undo", "Z", () => void this.goBack());
    if (this.queue.current?.length === 1) this.footButton(foot, ICONS.edit, "Fix", "E", () => void this.edit());
    this.footButton(foot, ICONS.skip, "Skip", "S", () => void this.skip()).addClass("mod-after");
  }

  private footButton(parent: HTMLElement, icon: string, text: string, key: string, act: () => void): HTMLElement {
    const button = textButton(parent, icon, text, act);
    button.addClass("mnemex-textbtn");
    button.setAttribute("aria-keyshortcuts", key);
    button.createEl("kbd", { text: key, attr: { "aria-hidden": "true" } });
    return button;
  }

  private drawEnd(page: HTMLElement): void {
    if (this.queue.size === 0) return this.drawNothingDue(page);
    const buttons = drawEnd(page, this.queue, endHeading(this.queue), this.waitingText());
    this.footButton(buttons, ICONS.undo, "Undo", "Z", () => void this.goBack());
    this.offerMore(buttons);
    const close = buttons.createEl("button", { cls: "mod-cta", text: "Close", attr: { type: "button" } });
    close.addEventListener("click", () => this.leaf.detach());
  }

  private offerMore(parent: HTMLElement): void {
    const { waiting } = this.queue;
    if (waiting === 0) return;
    const text = `${Math.min(waiting, this.companion.preferences.reviewCap)} more`;
    const more = parent.createEl("button", { text, attr: { type: "button" } });
    more.addEventListener("click", () => void this.restart(true));
  }

  private waitingText(): string {
    const { waiting } = this.queue;
    return waiting === 0 ? "" : `${quantity(waiting, this.companion.words().locale)} can wait.`;
  }

  private drawNothingDue(page: HTMLElement): void {
    const end = page.createDiv({ cls: "mnemex-review-end" });
    if (this.queue.waiting > 0) {
      end.createEl("h2", { cls: "mnemex-review-focus", text: "Done for today.", attr: { tabindex: "-1" } });
      end.createEl("p", { text: this.waitingText() });
      this.offerMore(end.createDiv({ cls: "mnemex-review-end-buttons" }));
      return;
    }
    const next = nextDue(this.companion.cache.present(), this.companion.cache.settings.policy);
    const when = next === null ? "" : ` The next memory is due on ${this.companion.words().day(next, this.companion.now())}.`;
    end.createEl("p", { cls: "mnemex-review-focus", text: `Nothing is due.${when}`, attr: { tabindex: "-1" } });
  }
}
