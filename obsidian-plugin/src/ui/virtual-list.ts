/** A list that renders only what is seen: lines of known heights, kept elements by key. */

export interface ListLine {
  readonly key: string;
}

export interface LineView<T> {
  readonly el: HTMLElement;
  update(line: T): void;
}

export interface ListOptions<T extends ListLine> {
  readonly height: (line: T) => number;
  readonly create: (line: T, parent: HTMLElement) => LineView<T>;
}

const OVERSCAN_PIXELS = 120;

export class VirtualList<T extends ListLine> {
  private lines: readonly T[] = [];
  /** Where each line begins; one more entry for the end. */
  private offsets: number[] = [0];
  private readonly views = new Map<string, LineView<T>>();
  private readonly ground: HTMLElement;
  private frame: number | null = null;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly options: ListOptions<T>,
  ) {
    this.ground = scroller.createDiv({ cls: "mnemex-list-ground", attr: { role: "presentation" } });
    scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
  }

  /** How many lines are rendered now. */
  get rendered(): number {
    return this.views.size;
  }

  show(lines: readonly T[]): void {
    this.lines = lines;
    this.offsets = [0];
    let offset = 0;
    for (const line of lines) {
      offset += this.options.height(line);
      this.offsets.push(offset);
    }
    this.ground.setCssProps({ "--mnemex-height": `${offset}px` });
    this.render();
  }

  /** Render what is seen now. */
  render(): void {
    const top = this.scroller.scrollTop - OVERSCAN_PIXELS;
    const bottom = this.scroller.scrollTop + this.scroller.clientHeight + OVERSCAN_PIXELS;
    const first = Math.max(0, this.indexAt(top));
    const wanted = new Set<string>();
    for (let index = first; index < this.lines.length && (this.offsets[index] ?? 0) < bottom; index++) {
      const line = this.lines[index];
      if (!line) continue;
      wanted.add(line.key);
      this.place(line, this.offsets[index] ?? 0);
    }
    this.drop(wanted);
    this.order(wanted);
  }

  /** Return the element of a line if it is rendered. */
  elementOf(key: string): HTMLElement | null {
    return this.views.get(key)?.el ?? null;
  }

  /** Scroll as little as needed to see a line as a whole. */
  reveal(index: number): void {
    const start = this.offsets[index] ?? 0;
    const end = this.offsets[index + 1] ?? start;
    const { scrollTop, clientHeight } = this.scroller;
    if (start < scrollTop) this.scroller.scrollTop = start;
    else if (end > scrollTop + clientHeight) this.scroller.scrollTop = end - clientHeight;
    this.render();
  }

  destroy(): void {
    if (this.frame !== null) this.scroller.win.cancelAnimationFrame(this.frame);
    this.drop(new Set());
  }

  private schedule(): void {
    this.frame ??= this.scroller.win.requestAnimationFrame(() => {
      this.frame = null;
      this.render();
    });
  }

  private place(line: T, offset: number): void {
    let view = this.views.get(line.key);
    if (!view) {
      view = this.options.create(line, this.ground);
      this.views.set(line.key, view);
    }
    view.update(line);
    view.el.setCssProps({ "--mnemex-top": `${offset}px` });
  }

  // the order of elements is the order in which they are read aloud
  private order(keys: ReadonlySet<string>): void {
    let place = this.ground.firstElementChild;
    for (const key of keys) {
      const el = this.views.get(key)?.el;
      if (!el) continue;
      if (el === place) place = place.nextElementSibling;
      else this.ground.insertBefore(el, place);
    }
  }

  private drop(wanted: ReadonlySet<string>): void {
    for (const [key, view] of this.views) {
      if (wanted.has(key)) continue;
      view.el.remove();
      this.views.delete(key);
    }
  }

  private indexAt(offset: number): number {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.offsets[middle + 1] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
