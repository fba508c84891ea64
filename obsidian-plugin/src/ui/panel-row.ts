/** The lines of the panel: group heads, rows of memories, and those of "About this note" with the reason. */

import { setIcon } from "obsidian";
import { Bar } from "./bar";
import { lineId } from "./focus-list";
import { iconButton, ICONS } from "./icons";
import { onLongPress } from "./long-press";
import type { GroupLine, Line, MemoryLine } from "./panel-model";
import type { Standing } from "./standing";
import type { LineView } from "./virtual-list";
import { figure, quantity, TIER_WORDS, type Words } from "./words";

export interface RowEvents {
  toggle(group: string): void;
  open(item: Standing, event: MouseEvent): void;
  hover(item: Standing, event: MouseEvent): void;
  menu(item: Standing, event: MouseEvent): void;
  use(item: Standing): void;
  pin(item: Standing): void;
  restore(item: Standing): void;
  /** Put a link to it into the note that is being written. */
  insert(item: Standing): void;
  link(item: Standing): string;
  tag(tag: string): void;
}

export interface RowContext {
  readonly events: RowEvents;
  words(): Words;
  when(item: Standing): string;
  isSelected(line: Line): boolean;
  isFocused(line: Line): boolean;
}

/** Create the view of a line. */
export function createLine(line: Line, parent: HTMLElement, context: RowContext): LineView<Line> {
  if (line.kind === "group") return new GroupView(parent, context);
  return line.kind === "about" ? new AboutView(parent, context) : new RowView(parent, context);
}

class GroupView implements LineView<Line> {
  readonly el: HTMLElement;
  private readonly self: HTMLElement;
  private readonly icon: HTMLElement;
  private readonly label: HTMLElement;
  private readonly count: HTMLElement;
  private line: GroupLine | null = null;

  constructor(parent: HTMLElement, private readonly context: RowContext) {
    this.el = parent.createDiv({ cls: "tree-item mnemex-group", attr: { role: "treeitem", "aria-level": "1" } });
    this.self = this.el.createDiv({ cls: "tree-item-self is-clickable mnemex-group-self" });
    this.icon = this.self.createSpan({ cls: "mnemex-chevron" });
    setIcon(this.icon, ICONS.chevron);
    this.label = this.self.createSpan({ cls: "tree-item-inner" });
    this.count = this.self.createSpan({ cls: "tree-item-flair" });
    this.self.addEventListener("click", () => {
      if (this.line) this.context.events.toggle(this.line.key);
    });
  }

  update(line: Line): void {
    if (line.kind !== "group") return;
    this.line = line;
    this.el.id = lineId(line);
    this.el.setAttribute("aria-expanded", String(!line.collapsed));
    this.icon.toggleClass("is-collapsed", line.collapsed);
    this.label.setText(line.label);
    this.count.setText(quantity(line.count, this.context.words().locale));
    this.self.toggleClass("has-focus", this.context.isFocused(line));
  }
}

abstract class MemoryView implements LineView<Line> {
  readonly el: HTMLElement;
  protected readonly self: HTMLElement;
  private current: MemoryLine | null = null;

  constructor(parent: HTMLElement, protected readonly context: RowContext) {
    this.el = parent.createDiv({ cls: "tree-item mnemex-row", attr: { role: "treeitem", "aria-level": "2" } });
    this.self = this.el.createDiv({ cls: "tree-item-self is-clickable" });
    const { events } = context;
    this.self.addEventListener("click", (event) => this.with((item) => events.open(item, event)));
    this.self.addEventListener("auxclick", (event) => {
      if (event.button === 1) this.with((item) => events.open(item, event));
    });
    this.self.addEventListener("mouseover", (event) => this.with((item) => events.hover(item, event)));
    onLongPress(this.self, (event) => this.with((item) => events.menu(item, event)));
  }

  update(line: Line): void {
    if (line.kind === "group") return;
    this.current = line;
    this.el.id = lineId(line);
    const selected = this.context.isSelected(line);
    this.el.setAttribute("aria-selected", String(selected));
    this.el.setAttribute("aria-posinset", String(line.position));
    this.el.setAttribute("aria-setsize", String(line.size));
    this.self.toggleClass("is-active", selected);
    this.self.toggleClass("has-focus", this.context.isFocused(line));
    this.fill(line.item, line.why);
  }

  protected abstract fill(item: Standing, why: string): void;

  protected with(act: (item: Standing) => void): void {
    if (this.current) act(this.current.item);
  }
}

class RowView extends MemoryView {
  private readonly title: HTMLElement;
  private readonly mark: HTMLElement;
  private readonly score: HTMLElement;
  private readonly actions: HTMLElement;
  private readonly bar: Bar;
  private readonly when: HTMLElement;
  private readonly tags: HTMLElement;
  private shown = "";

  constructor(parent: HTMLElement, context: RowContext) {
    super(parent, context);
    const top = this.self.createDiv({ cls: "mnemex-row-top" });
    this.title = top.createSpan({ cls: "mnemex-title" });
    this.mark = top.createSpan({ cls: "mnemex-mark" });
    this.score = top.createSpan({ cls: "mnemex-score" });
    this.actions = top.createSpan({ cls: "mnemex-row-actions" });
    const sub = this.self.createDiv({ cls: "mnemex-row-sub" });
    this.bar = new Bar(sub);
    this.when = sub.createSpan({ cls: "mnemex-when" });
    this.tags = sub.createSpan({ cls: "mnemex-tags" });
  }

  protected fill(item: Standing): void {
    const archived = item.note.tier === "archived";
    this.title.setText(item.note.memory.title);
    this.title.toggleClass("mnemex-dim", archived);
    this.score.setText(archived ? "" : figure(item.score));
    this.el.toggleClass("is-archived", archived);
    this.el.toggleClass("is-permanent", item.note.tier === "long-term");
    this.el.setAttribute("aria-label", this.spoken(item));
    this.bar.show(item);
    this.when.setText(this.context.when(item));
    this.rest(item);
  }

  // marks, buttons and tags seldom change; while scrolling they need not be made anew
  private rest(item: Standing): void {
    const { tags } = item.note.memory;
    const key = [item.note.tier, item.state === "pinned", item.ready, ...tags].join("\n");
    if (key === this.shown) return;
    this.shown = key;
    this.fillMark(item);
    this.fillActions(item);
    this.tags.empty();
    for (const tag of tags) {
      const el = this.tags.createSpan({ text: `#${tag}` });
      el.addEventListener("click", (event) => {
        event.stopPropagation();
        this.context.events.tag(tag);
      });
    }
  }

  private fillMark(item: Standing): void {
    const pinned = item.state === "pinned";
    this.mark.empty();
    this.mark.toggle(pinned || item.ready);
    if (pinned || item.ready) setIcon(this.mark, pinned ? ICONS.pin : ICONS.promote);
    if (item.ready) this.mark.setAttribute("aria-label", "Ready to promote");
    else this.mark.removeAttribute("aria-label");
  }

  private fillActions(item: Standing): void {
    const { events } = this.context;
    const pinned = item.state === "pinned";
    this.actions.empty();
    const add = (icon: string, label: string, act: (current: Standing, event: MouseEvent) => void): void => {
      const button = iconButton(this.actions, icon, label, (event) => this.with((current) => act(current, event)));
      button.tabIndex = -1;
    };
    if (item.note.tier === "archived") add(ICONS.restore, "Restore", events.restore.bind(events));
    else {
      add(ICONS.use, "Use", events.use.bind(events));
      add(pinned ? ICONS.unpin : ICONS.pin, pinned ? "Unpin" : "Pin", events.pin.bind(events));
    }
    add(ICONS.more, "More", events.menu.bind(events));
  }

  private spoken(item: Standing): string {
    const { title } = item.note.memory;
    const score = item.note.tier === "archived" ? "" : `, score ${figure(item.score)}`;
    return `${title}${score}, ${this.context.when(item)}`;
  }
}

class AboutView extends MemoryView {
  private readonly title: HTMLElement;
  private readonly flair: HTMLElement;
  private readonly why: HTMLElement;

  constructor(parent: HTMLElement, context: RowContext) {
    super(parent, context);
    this.el.addClass("mnemex-about");
    const top = this.self.createDiv({ cls: "mnemex-row-top" });
    this.title = top.createSpan({ cls: "mnemex-title" });
    this.flair = top.createSpan({ cls: "tree-item-flair" });
    const insert = iconButton(top.createSpan({ cls: "mnemex-row-actions" }), ICONS.link, "Insert a link", () =>
      this.with((item) => context.events.insert(item)),
    );
    insert.tabIndex = -1;
    this.why = this.self.createDiv({ cls: "mnemex-row-sub" }).createSpan({ cls: "mnemex-why" });
    this.self.draggable = true;
    this.self.addEventListener("dragstart", (event) =>
      this.with((item) => event.dataTransfer?.setData("text/plain", context.events.link(item))),
    );
  }

  protected fill(item: Standing, why: string): void {
    const { tier, memory } = item.note;
    const place = tier === "short-term" ? figure(item.score) : TIER_WORDS[tier].toLowerCase();
    this.title.setText(memory.title);
    this.flair.setText(place);
    this.why.setText(why);
    this.el.setAttribute("aria-label", `${memory.title}, ${place}, ${why}. Enter inserts a link.`);
  }
}
