/** The list of the panel as a tree that is used with the keyboard; focus is a line, not an element. */

import type { Line, MemoryLine } from "./panel-model";
import { createLine, lineId, type RowContext, type RowEvents } from "./panel-row";
import type { Standing } from "./standing";
import { VirtualList } from "./virtual-list";
import type { Words } from "./words";

export interface Heights {
  readonly group: number;
  readonly memory: number;
  readonly about: number;
}

interface Measures {
  readonly group: number;
  readonly one: number;
  readonly two: number;
  readonly around: number;
  readonly about: number;
}

const DESKTOP: Measures = { group: 28, one: 18, two: 16, around: 12, about: 28 };
const TOUCH: Measures = { group: 44, one: 21, two: 18, around: 18, about: 44 };
const LINE = 1.4;

/** Return the heights of lines for the font sizes of the theme, and give them to the style sheet. */
export function lineHeights(el: HTMLElement, touch: boolean): Heights {
  const style = el.win.getComputedStyle(el);
  const size = (name: string, standard: number): number => Number.parseFloat(style.getPropertyValue(name)) || standard;
  const { group, one, two, around, about } = touch ? TOUCH : DESKTOP;
  const [small, smaller] = [size("--font-ui-small", 13) * LINE, size("--font-ui-smaller", 12) * LINE];
  const high = { one: Math.max(one, Math.floor(small)), two: Math.max(two, Math.floor(smaller)), group: Math.max(group, Math.ceil(small) + 8) };
  el.setCssProps({
    "--mnemex-line-one": `${high.one}px`,
    "--mnemex-line-two": `${high.two}px`,
    "--mnemex-group": `${high.group}px`,
  });
  return { group: high.group, memory: high.one + high.two + around, about: Math.max(about, Math.ceil(small) + 10) };
}

export interface PanelListOptions {
  readonly heights: Heights;
  readonly events: RowEvents & { select(item: Standing): void; leaveUp(): void };
  readonly words: () => Words;
  readonly when: (item: Standing) => string;
}

export class PanelList {
  readonly el: HTMLElement;
  private readonly list: VirtualList<Line>;
  private lines: readonly Line[] = [];
  private focused: string | null = null;
  private selected: string | null = null;

  constructor(parent: HTMLElement, private readonly options: PanelListOptions) {
    this.el = parent.createDiv({
      cls: "mnemex-list",
      attr: { role: "tree", tabindex: "0", "aria-label": "Memories" },
    });
    const context: RowContext = {
      events: options.events,
      words: options.words,
      when: options.when,
      isSelected: (line) => line.kind !== "group" && line.item.note.path === this.selected,
      isFocused: (line) => line.key === this.focused,
    };
    this.list = new VirtualList<Line>(this.el, {
      height: (line) => options.heights[line.kind],
      create: (line, ground) => createLine(line, ground, context),
    });
    this.el.addEventListener("keydown", (event) => this.onKey(event));
    this.el.addEventListener("focus", () => this.focusFirst());
  }

  get rendered(): number {
    return this.list.rendered;
  }

  show(lines: readonly Line[]): void {
    this.lines = lines;
    if (this.focused !== null && this.list.indexOf(this.focused) < 0 && !lines.some(({ key }) => key === this.focused)) {
      this.focused = null;
    }
    this.list.show(lines);
    this.name();
  }

  resize(): void {
    this.list.render();
  }

  /** Mark the rows of a note as selected. */
  select(path: string | null): void {
    this.selected = path;
    this.list.render();
  }

  /** Scroll to the row of a note, if it is listed and out of sight. */
  reveal(path: string): void {
    const index = this.lines.findIndex((line) => line.kind === "memory" && line.item.note.path === path);
    if (index >= 0) this.list.reveal(index);
  }

  focus(): void {
    this.el.focus({ preventScroll: true });
  }

  destroy(): void {
    this.list.destroy();
  }

  private focusFirst(): void {
    if (this.focused === null) this.moveTo(0);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.el) return;
    const index = this.focused === null ? -1 : this.list.indexOf(this.focused);
    const handled = this.move(event.key, index) || this.act(event, this.lines[index]);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(key: string, index: number): boolean {
    const page = Math.max(1, Math.floor(this.el.clientHeight / this.options.heights.memory) - 1);
    const last = this.lines.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: last,
    };
    const target = targets[key];
    if (target === undefined) return false;
    if (key === "ArrowUp" && index <= 0) this.options.events.leaveUp();
    else this.moveTo(Math.min(last, Math.max(0, target)));
    return true;
  }

  private moveTo(index: number): void {
    const line = this.lines[index];
    if (!line) return;
    this.focused = line.key;
    this.list.reveal(index);
    this.name();
  }

  private act(event: KeyboardEvent, line: Line | undefined): boolean {
    if (!line) return false;
    return line.kind === "group" ? this.actOnGroup(event.key, line.key, line.collapsed) : this.actOnMemory(event, line);
  }

  private actOnGroup(key: string, group: string, collapsed: boolean): boolean {
    const toggles = key === "Enter" || key === " " || (key === "ArrowRight" && collapsed);
    if (!toggles && !(key === "ArrowLeft" && !collapsed)) return false;
    this.options.events.toggle(group);
    return true;
  }

  private actOnMemory(event: KeyboardEvent, line: MemoryLine): boolean {
    const { events } = this.options;
    const context = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (event.key === "Enter") events.open(line.item, this.asClick(line, event));
    else if (event.key === " ") events.select(line.item);
    else if (event.key === "ArrowLeft") this.moveTo(this.list.indexOf(line.group));
    else if (context) events.menu(line.item, this.asClick(line, event));
    else return false;
    return true;
  }

  // a menu or a new pane asked for with the keyboard belongs at the row
  private asClick(line: Line, event: KeyboardEvent): MouseEvent {
    const box = (this.list.elementOf(line.key) ?? this.el).getBoundingClientRect();
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    const init = { clientX: box.left + 40, clientY: box.top + box.height / 2, ctrlKey, metaKey, altKey, shiftKey };
    return new MouseEvent("click", { ...init, view: this.el.win });
  }

  private name(): void {
    const index = this.focused === null ? -1 : this.list.indexOf(this.focused);
    const line = this.lines[index];
    if (line) this.el.setAttribute("aria-activedescendant", lineId(line));
    else this.el.removeAttribute("aria-activedescendant");
  }
}
