/** The list of the panel: a tree of groups and memories. */

import { Keymap } from "obsidian";
import { asksForMenu, clickAt, FocusList } from "./focus-list";
import type { Line, MemoryLine } from "./panel-model";
import { createLine, type RowContext, type RowEvents } from "./panel-row";
import type { Standing } from "./standing";
import type { Words } from "./words";

export interface Heights {
  readonly group: number;
  readonly memory: number;
}

interface Measures {
  readonly group: number;
  readonly one: number;
  readonly two: number;
  readonly around: number;
}

const DESKTOP: Measures = { group: 28, one: 18, two: 16, around: 12 };
const TOUCH: Measures = { group: 44, one: 21, two: 18, around: 18 };
const LINE = 1.4;

/** Return the heights of lines for the font sizes of the theme, and give them to the style sheet. */
export function lineHeights(el: HTMLElement, touch: boolean): Heights {
  const style = el.win.getComputedStyle(el);
  const size = (name: string, standard: number): number => Number.parseFloat(style.getPropertyValue(name)) || standard;
  const { group, one, two, around } = touch ? TOUCH : DESKTOP;
  const [small, smaller] = [size("--font-ui-small", 13) * LINE, size("--font-ui-smaller", 12) * LINE];
  const high = { one: Math.max(one, Math.floor(small)), two: Math.max(two, Math.floor(smaller)), group: Math.max(group, Math.ceil(small) + 8) };
  el.setCssProps({
    "--mnemex-line-one": `${high.one}px`,
    "--mnemex-line-two": `${high.two}px`,
    "--mnemex-group": `${high.group}px`,
  });
  return { group: high.group, memory: high.one + high.two + around };
}

export interface PanelListOptions {
  readonly heights: Heights;
  readonly events: RowEvents & { select(item: Standing): void; leaveUp(): void };
  readonly words: () => Words;
  readonly when: (item: Standing) => string;
}

export class PanelList {
  readonly el: HTMLElement;
  private readonly list: FocusList<Line>;
  private lines: readonly Line[] = [];
  private selected: string | null = null;

  constructor(parent: HTMLElement, private readonly options: PanelListOptions) {
    const { events, heights } = options;
    const context: RowContext = {
      events,
      words: options.words,
      when: options.when,
      isSelected: (line) => line.kind !== "group" && line.item.note.path === this.selected,
      isFocused: (line) => this.list.isFocused(line),
    };
    this.list = new FocusList<Line>(parent, {
      label: "Memories",
      height: (line) => (line.kind === "group" ? heights.group : heights.memory),
      create: (line, ground) => createLine(line, ground, context),
      act: (event, line) => this.act(event, line),
      takesFocus: () => true,
      pageHeight: heights.memory,
      leaveUp: () => events.leaveUp(),
    });
    this.el = this.list.el;
  }

  get rendered(): number {
    return this.list.rendered;
  }

  show(lines: readonly Line[]): void {
    this.lines = lines;
    this.list.show(lines);
  }

  resize(): void {
    this.list.render();
  }

  /** Mark the rows of a note as selected. */
  select(path: string | null): void {
    this.selected = path;
    this.list.render();
  }

  /** Scroll to the row of a memory, for any other note to what is about it; as far as it is listed and out of sight. */
  revealNote(path: string | null): void {
    if (path === null) this.list.reveal(this.lines.findIndex(({ key }) => key === "about"));
    else this.list.reveal(this.lines.findIndex((line) => line.kind === "memory" && line.item.note.path === path));
  }

  focus(): void {
    this.list.focus();
  }

  destroy(): void {
    this.list.destroy();
  }

  private act(event: KeyboardEvent, line: Line): boolean {
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
    const plain = !Keymap.isModEvent(event);
    if (event.key === "Enter" && line.kind === "about" && plain) events.insert(line.item);
    else if (event.key === "Enter") events.open(line.item, this.asClick(line, event));
    else if (event.key === " ") events.select(line.item);
    else if (event.key === "ArrowLeft") this.list.moveTo(this.list.indexOf(line.group));
    else if (asksForMenu(event)) events.menu(line.item, this.asClick(line, event));
    else return false;
    return true;
  }

  private asClick(line: Line, event: KeyboardEvent): MouseEvent {
    return clickAt(this.list.elementOf(line.key) ?? this.el, event);
  }
}
