/** A virtual list that is used with the keyboard; focus is a line, not an element. */

import { type ListLine, VirtualList, type LineView } from "./virtual-list";

export interface FocusOptions<T extends ListLine> {
  readonly label: string;
  readonly height: (line: T) => number;
  readonly create: (line: T, parent: HTMLElement) => LineView<T>;
  /** Act on a key that does not move; returns whether it was used. */
  readonly act: (event: KeyboardEvent, line: T) => boolean;
  /** Tell whether a line can have the focus. */
  readonly takesFocus: (line: T) => boolean;
  readonly pageHeight: number;
  /** The focus leaves the list at its upper end. */
  readonly leaveUp: () => void;
}

/** The id of a line's element, by which the list names the one with the focus. */
export function lineId({ key }: ListLine): string {
  return `mnemex-line-${key.replace(/[^\p{L}\p{N}]/gu, (letter) => `_${letter.codePointAt(0)}`)}`;
}

/** Tell whether a key asks for the menu of a line. */
export function asksForMenu(event: KeyboardEvent): boolean {
  return event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
}

/** Return a key as a click upon an element: a menu or a new pane asked for with the keyboard belongs there. */
export function clickAt(el: HTMLElement, { ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): MouseEvent {
  const box = el.getBoundingClientRect();
  const init = { clientX: box.left + 40, clientY: box.top + box.height / 2, ctrlKey, metaKey, altKey, shiftKey };
  return new MouseEvent("click", { ...init, view: el.win });
}

export class FocusList<T extends ListLine> {
  readonly el: HTMLElement;
  private readonly list: VirtualList<T>;
  private lines: readonly T[] = [];
  private focused: string | null = null;

  constructor(parent: HTMLElement, private readonly options: FocusOptions<T>) {
    this.el = parent.createDiv({ cls: "mnemex-list", attr: { role: "tree", tabindex: "0", "aria-label": options.label } });
    this.list = new VirtualList<T>(this.el, options);
    this.el.addEventListener("keydown", (event) => this.onKey(event));
    this.el.addEventListener("focus", () => {
      if (this.focused === null) this.moveBy(-1, 1);
    });
  }

  get rendered(): number {
    return this.list.rendered;
  }

  isFocused(line: T): boolean {
    return line.key === this.focused;
  }

  show(lines: readonly T[]): void {
    const before = this.focused === null ? -1 : this.indexOf(this.focused);
    this.lines = lines;
    if (this.focused !== null && !lines.some(({ key }) => key === this.focused)) this.focused = this.heir(before);
    this.list.show(lines);
    this.name();
  }

  render(): void {
    this.list.render();
  }

  indexOf(key: string): number {
    return this.lines.findIndex((line) => line.key === key);
  }

  elementOf(key: string): HTMLElement | null {
    return this.list.elementOf(key);
  }

  /** Scroll to a line if it is out of sight. */
  reveal(index: number): void {
    if (index >= 0) this.list.reveal(index);
  }

  focus(): void {
    this.el.focus({ preventScroll: true });
  }

  /** Give a line the focus. */
  moveTo(index: number): void {
    const line = this.lines[index];
    if (!line) return;
    this.focused = line.key;
    this.list.reveal(index);
    this.name();
  }

  destroy(): void {
    this.list.destroy();
  }

  // what takes the place of a line that went
  private heir(index: number): string | null {
    return this.lines.slice(Math.max(0, index)).find(this.options.takesFocus)?.key ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.el) return;
    const index = this.focused === null ? -1 : this.indexOf(this.focused);
    const line = this.lines[index];
    if (!this.move(event.key, index) && !(line && this.options.act(event, line))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(key: string, index: number): boolean {
    const page = Math.max(1, Math.floor(this.el.clientHeight / this.options.pageHeight) - 1);
    const last = this.lines.length - 1;
    const targets: Readonly<Record<string, readonly [number, 1 | -1]>> = {
      ArrowDown: [index + 1, 1],
      ArrowUp: [index - 1, -1],
      PageDown: [Math.min(last, index + page), 1],
      PageUp: [Math.max(0, index - page), -1],
      Home: [0, 1],
      End: [last, -1],
    };
    const target = targets[key];
    if (!target) return false;
    const moved = this.moveBy(target[0] - target[1], target[1]);
    if (!moved && key === "ArrowUp") this.options.leaveUp();
    return true;
  }

  /** Go on to the next line that takes the focus; returns whether there is one. */
  private moveBy(from: number, step: 1 | -1): boolean {
    for (let index = from + step; index >= 0 && index < this.lines.length; index += step) {
      const line = this.lines[index];
      if (!line || !this.options.takesFocus(line)) continue;
      this.moveTo(index);
      return true;
    }
    return false;
  }

  private name(): void {
    const line = this.focused === null ? undefined : this.lines[this.indexOf(this.focused)];
    if (line) this.el.setAttribute("aria-activedescendant", lineId(line));
    else this.el.removeAttribute("aria-activedescendant");
  }
}
