/** The review: one memory at a time, kept, promoted or let go. */

import { ItemView, MarkdownRenderer, Component, Scope, setIcon, type WorkspaceLeaf } from "obsidian";
import { fadesAt, peak, secondsUntil } from "../domain/scoring";
import { use } from "../domain/reinforcement";
import { bodyOf } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { inert } from "../notes/inert";
import type { MemoryNote } from "../obsidian/memory-cache";
import { Bar } from "./bar";
import type { Action, Companion } from "./companion";
import { drawCurve } from "./curve";
import { ICONS, textButton } from "./icons";
import { type Choice, ReviewQueue } from "./review-queue";
import { reviewQueue, standing, type Standing } from "./standing";
import { figure, used } from "./words";

export const REVIEW_VIEW = "mnemex-review";

const MOST_SEGMENTS = 40;
const CURVE_HEIGHT = { wide: 170, narrow: 150 };

interface ChoiceSpec {
  readonly choice: Choice;
  readonly key: string;
  readonly label: string;
  readonly icon: string;
  readonly action: Action;
}

const CHOICES: readonly ChoiceSpec[] = [
  { choice: "keep", key: "1", label: "Keep", icon: ICONS.use, action: (actions, note) => actions.keep(note) },
  { choice: "promote", key: "2", label: "Promote", icon: ICONS.promote, action: (actions, note) => actions.promote(note) },
  { choice: "let go", key: "3", label: "Let go", icon: ICONS.archive, action: (actions, note) => actions.archive(note) },
];

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function isForReview(note: MemoryNote | null): boolean {
  return note?.tier === "short-term";
}

export class ReviewView extends ItemView {
  private queue = new ReviewQueue([]);
  private busy = false;
  private drawn: MemoryNote | null = null;
  private rendering: Component | null = null;
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
    root.empty();
    root.addClass("mnemex-review-view");
    this.announcer = root.createDiv({ cls: "mnemex-announcer", attr: { "aria-live": "polite", role: "status" } });
    this.page = root.createDiv({ cls: "mnemex-review" });
    this.scope = this.keys();
    this.register(this.companion.cache.onChange(() => this.cacheChanged()));
    await this.restart();
  }

  override async onClose(): Promise<void> {
    this.rendering?.unload();
    this.contentEl.empty();
  }

  /** Begin anew with what is fading or due now. */
  async restart(): Promise<void> {
    const { cache } = this.companion;
    const items = reviewQueue(cache.all(), cache.settings.policy, this.companion.now());
    this.queue = new ReviewQueue(items.map(({ note }) => note.memory.id));
    await this.draw();
  }

  // opened before the vault was looked through: begin when it was; changed by someone else: show that
  private cacheChanged(): void {
    if (this.queue.size === 0) void this.restart();
    else if (!this.busy && this.currentNote() !== this.drawn) void this.changedByOthers();
  }

  private async changedByOthers(): Promise<void> {
    const before = this.drawn;
    if (this.queue.current === null || isForReview(this.currentNote())) await this.draw();
    else await this.next(before === null ? "" : `“${before.memory.title}” ${this.fate(before)}`);
  }

  /** Say what became of a memory that need not be reviewed any more. */
  private fate({ memory }: MemoryNote): string {
    const tier = this.companion.cache.withId(memory.id)?.tier;
    if (tier === undefined) return "was deleted meanwhile.";
    return tier === "archived" ? "was archived meanwhile." : "became long-term meanwhile.";
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
    for (const spec of CHOICES) on(spec.key, () => this.choose(spec));
    on("s", () => this.skip());
    on("z", () => this.goBack());
    return scope;
  }

  private async choose(spec: ChoiceSpec): Promise<void> {
    const note = this.currentNote();
    if (this.busy || !note || !isForReview(note)) return;
    this.busy = true;
    try {
      const change = await this.companion.perform(note, spec.action, true);
      if (change) this.queue.decide(spec.choice, change);
    } finally {
      this.busy = false;
    }
    await this.next();
  }

  private async skip(): Promise<void> {
    if (this.busy || this.queue.current === null) return;
    this.queue.decide("skip", null);
    await this.next();
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
    await this.next();
  }

  private async next(news = ""): Promise<void> {
    while (this.queue.current !== null && !isForReview(this.currentNote())) this.queue.decide("gone", null);
    await this.draw(news);
    const { done, size } = this.queue;
    this.announcer?.setText(`${news} ${done < size ? `${done + 1} of ${size}` : this.endHeading()}`.trim());
    this.page?.querySelector<HTMLElement>(".mnemex-review-focus")?.focus();
  }

  private currentNote(): MemoryNote | null {
    return this.queue.current === null ? null : this.companion.cache.withId(this.queue.current);
  }

  private async draw(news = ""): Promise<void> {
    const { page, queue } = this;
    if (!page) return;
    this.rendering?.unload();
    this.rendering = null;
    page.empty();
    if (news !== "") page.createEl("p", { cls: "mnemex-news", text: news });
    const note = this.currentNote();
    this.drawn = note;
    if (note) await this.drawMemory(page, note);
    else if (queue.size > 0) this.drawEnd(page);
    else this.drawNothingDue(page);
  }

  private async drawMemory(page: HTMLElement, note: MemoryNote): Promise<void> {
    const { cache } = this.companion;
    const item = standing(note, cache.settings.policy, this.companion.now());
    this.drawProgress(page);
    const scroll = page.createDiv({ cls: "mnemex-rscroll" });
    scroll.createEl("h2", { cls: "mnemex-review-focus", text: note.memory.title, attr: { tabindex: "-1" } });
    this.drawMeta(scroll, item);
    const body = scroll.createDiv({ cls: "mnemex-rbody" });
    const curve = scroll.createDiv({ cls: "mnemex-rcurve" });
    this.drawChoices(page, item);
    this.drawFoot(page);
    this.drawCurve(curve, item);
    await this.renderBody(body, note);
  }

  private drawProgress(page: HTMLElement): void {
    const { done, size } = this.queue;
    const progress = page.createDiv({ cls: "mnemex-prog" });
    const track = progress.createSpan({ cls: "mnemex-prog-t", attr: { "aria-hidden": "true" } });
    const segments = Math.min(size, MOST_SEGMENTS);
    const reached = Math.floor((done / size) * segments);
    for (let index = 0; index < segments; index++) {
      const cls = index < reached ? "is-done" : index === reached ? "is-now" : "";
      track.createEl("i", cls === "" ? {} : { cls });
    }
    progress.createSpan({ text: `${done + 1} of ${size}` });
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
    this.rendering = component;
    const { origin } = note.memory;
    const written = origin === null ? text : inert(asGiven(text, origin));
    await MarkdownRenderer.render(this.app, written, parent, note.path, component);
  }

  private drawChoices(page: HTMLElement, item: Standing): void {
    const choices = page.createDiv({ cls: "mnemex-choices" });
    for (const spec of CHOICES) {
      const button = choices.createEl("button", { attr: { type: "button", "aria-keyshortcuts": spec.key } });
      const label = button.createSpan({ cls: "mnemex-ch-l" });
      setIcon(label.createSpan({ cls: "mnemex-icon" }), spec.icon);
      label.createSpan({ text: spec.label });
      label.createEl("kbd", { text: spec.key, attr: { "aria-hidden": "true" } });
      button.createEl("small", { text: this.outcome(spec.choice, item) });
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
    const skip = this.footButton(foot, ICONS.skip, "Skip", "S", () => void this.skip());
    skip.addClass("mod-after");
  }

  private footButton(parent: HTMLElement, icon: string, text: string, key: string, act: () => void): HTMLElement {
    const button = textButton(parent, icon, text, act);
    button.addClass("mnemex-textbtn");
    button.setAttribute("aria-keyshortcuts", key);
    button.createEl("kbd", { text: key, attr: { "aria-hidden": "true" } });
    return button;
  }

  private drawEnd(page: HTMLElement): void {
    const { queue } = this;
    const end = page.createDiv({ cls: "mnemex-review-end" });
    end.createEl("h2", { cls: "mnemex-review-focus", text: this.endHeading(), attr: { tabindex: "-1" } });
    const parts = [
      `${queue.count("keep")} kept`,
      `${queue.count("promote")} promoted`,
      `${queue.count("let go")} let go`,
      ...(queue.count("gone") > 0 ? [`${queue.count("gone")} changed by others`] : []),
      ...(queue.count("skip") > 0 ? [`${queue.count("skip")} skipped`] : []),
    ];
    end.createEl("p", { text: parts.join(", ") });
    const buttons = end.createDiv({ cls: "mnemex-review-end-buttons" });
    this.footButton(buttons, ICONS.undo, "Undo", "Z", () => void this.goBack());
    const close = buttons.createEl("button", { cls: "mod-cta", text: "Close", attr: { type: "button" } });
    close.addEventListener("click", () => this.leaf.detach());
  }

  private endHeading(): string {
    const reviewed = this.queue.size - this.queue.count("gone");
    return reviewed === 1 ? "Reviewed." : `All ${reviewed} reviewed.`;
  }

  private drawNothingDue(page: HTMLElement): void {
    const end = page.createDiv({ cls: "mnemex-review-end" });
    const next = this.nextDue();
    const when = next === null ? "" : ` The next memory is due on ${this.companion.words().day(next, this.companion.now())}.`;
    end.createEl("p", { cls: "mnemex-review-focus", text: `Nothing is due.${when}`, attr: { tabindex: "-1" } });
  }

  private nextDue(): number | null {
    const { policy } = this.companion.cache.settings;
    const times = this.companion.cache
      .all()
      .filter((note) => note.tier === "short-term" && peak(note.memory.usage, policy) > policy.reviewMax)
      .map((note) => {
        const seconds = secondsUntil(note.memory.usage, policy, policy.reviewMax);
        return seconds === null ? Number.POSITIVE_INFINITY : note.memory.usage.lastUsed + seconds * 1000;
      });
    const first = Math.min(...times);
    return Number.isFinite(first) ? first : null;
  }
}
