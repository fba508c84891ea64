/** Draws the decay curve as SVG; all colours come from the theme. */

import type { Instant } from "../domain/memory";
import { curveGeometry, type CurveGeometry, type CurveSize, type Point } from "./curve-geometry";
import { axisLabels, textWidth } from "./curve-labels";
import type { Standing } from "./standing";
import { figure, type Words } from "./words";
import type { Policy } from "../domain/scoring";

export interface CurveContext {
  /** Tells this drawing's gradient and title from those of others on screen. */
  readonly name: string;
  readonly policy: Policy;
  readonly words: Words;
  readonly now: Instant;
}

/** Draw the past and future of a memory into `parent`, replacing what is there. */
export function drawCurve(parent: HTMLElement, item: Standing, size: CurveSize, context: CurveContext): void {
  const { memory, tier } = item.note;
  const geometry = curveGeometry(memory.usage, tier, context.policy, context.now, size);
  parent.empty();
  const drawing = new Drawing(parent, geometry, `mnemex-curve-${context.name}`);
  drawing.title(describeCurve(item, geometry, context));
  drawing.ground();
  drawing.lines();
  drawing.marks(item.state);
  drawing.labels(item, context);
}

/** Say what the curve shows, for those who do not see it. */
export function describeCurve(item: Standing, geometry: CurveGeometry, { words, now, policy }: CurveContext): string {
  const score = figure(item.score);
  if (item.note.memory.usage.pinned) return `Score ${score}, pinned, does not fade.`;
  if (item.note.tier === "long-term") return `Score ${score}, long-term, does not fade.`;
  if (geometry.fadesAt === null) return `Score ${score} now, does not fade.`;
  const level = figure(policy.forgetThreshold);
  const falls = geometry.fadesAt <= now ? `below ${level} since` : `falling to ${level} on`;
  const first = `Score ${score} now, ${falls} ${words.day(geometry.fadesAt, now)}.`;
  if (geometry.usedFadesAt === null || geometry.used.length === 0) return first;
  return `${first} If used today it would fade on ${words.day(geometry.usedFadesAt, now)}.`;
}

class Drawing {
  private readonly svg: SVGSVGElement;

  constructor(
    parent: HTMLElement,
    private readonly geometry: CurveGeometry,
    private readonly id: string,
  ) {
    const { width, height } = geometry.size;
    this.svg = parent.createSvg("svg", {
      cls: "mnemex-curve",
      attr: { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}-title` },
    });
  }

  title(text: string): void {
    this.svg.createSvg("title", { attr: { id: `${this.id}-title` } }).textContent = text;
  }

  /** Gradient, review zone, promote line, ground under the past, forget line. */
  ground(): void {
    const { y, size, past, bottom } = this.geometry;
    this.gradient();
    this.element("rect", "mnemex-c-band", { x: 0, width: size.width, y: y.reviewMax, height: y.reviewMin - y.reviewMax });
    this.element("path", "mnemex-c-promote", { d: `M0 ${fixed(y.promote)}H${size.width}` });
    const first = past[0];
    const last = past[past.length - 1];
    if (first && last) {
      const area = `${path(past)}L${fixed(last.x)} ${fixed(bottom)}L${fixed(first.x)} ${fixed(bottom)}Z`;
      this.element("path", "mnemex-c-area", { d: area });
    }
    this.element("path", "mnemex-c-forget", { d: `M0 ${fixed(y.forget)}H${size.width}` });
  }

  lines(): void {
    const { used, future, past, now, bottom, size } = this.geometry;
    const stroke = this.geometry.level ? "var(--text-faint)" : `url(#${this.id})`;
    const first = used[0];
    if (first) {
      this.element("path", "mnemex-c-used", { d: path(used) });
      this.element("path", "mnemex-c-jump", { d: `M${fixed(now.x)} ${fixed(now.y - 6)}V${fixed(first.y)}` });
    }
    this.element("path", "mnemex-c-future", { d: path(future), stroke });
    this.element("path", "mnemex-c-past", { d: path(past), stroke });
    this.element("path", "mnemex-c-now", { d: `M${fixed(now.x)} ${fixed(now.y + 6)}V${fixed(bottom)}` });
    this.element("path", "mnemex-c-axis", { d: `M0 ${fixed(bottom + 0.5)}H${size.width}` });
  }

  marks(state: string): void {
    const { now, fade } = this.geometry;
    const dot = this.element("circle", "mnemex-c-dot", { cx: now.x, cy: now.y, r: 4.5 });
    dot.setAttribute("data-state", state);
    if (fade) this.element("circle", "mnemex-c-fade", { cx: fade.x, cy: fade.y, r: 3.5 });
  }

  labels(item: Standing, context: CurveContext): void {
    const { bottom, level } = this.geometry;
    this.markLabels();
    if (level) this.levelLabel(item);
    else this.usedLabel(context);
    this.axis(item, context, bottom + 15);
  }

  private markLabels(): void {
    const { y, size, now, used } = this.geometry;
    // where now is far to the right, what one more use would do fills the corner
    const right = used.length > 0 && now.x > size.width * CROWDED ? now.x - 8 : size.width - 6;
    if (y.promote > 20) this.text("promote", right, y.promote + 12, "end", "mnemex-c-note");
    this.text("review", right, y.reviewMax + 12, "end", "mnemex-c-note");
    this.text("forget", 2, y.forget - 3.5, "start", "mnemex-c-note");
  }

  private usedLabel({ words, now: moment }: CurveContext): void {
    const { used, usedFadesAt, now, size } = this.geometry;
    if (used.length === 0 || usedFadesAt === null) return;
    const text = `if used today: ${words.day(usedFadesAt, moment)}`;
    const fits = now.x + 10 + textWidth(text) < size.width;
    this.text(text, fits ? now.x + 10 : now.x - 8, TOP_LABEL, fits ? "start" : "end", "mnemex-c-usedlabel");
  }

  private levelLabel(item: Standing): void {
    const { now } = this.geometry;
    const text = item.note.memory.usage.pinned ? "pinned, does not fade" : "long-term, does not fade";
    const crowded = now.x + 10 + textWidth(text) > this.geometry.size.width;
    this.text(text, now.x + (crowded ? -10 : 10), now.y > 34 ? now.y - 9 : now.y + 18, crowded ? "end" : "start", "mnemex-c-strong");
  }

  private axis(item: Standing, { words, now }: CurveContext, y: number): void {
    const { size, fade, fadesAt } = this.geometry;
    const last = `used ${words.day(item.note.memory.usage.lastUsed, now)}`;
    const gone = fadesAt !== null && fadesAt <= now;
    const date = fadesAt === null ? "" : words.day(fadesAt, now);
    const fadeLabel = fade ? { text: `${gone ? "faded" : "fades"} ${date}`, x: fade.x } : null;
    for (const label of axisLabels(size.width, last, { text: "now", x: this.geometry.now.x }, fadeLabel)) {
      this.text(label.text, label.x, y, label.anchor, label.strong ? "mnemex-c-strong" : "");
    }
  }

  private gradient(): void {
    const { y, top, bottom } = this.geometry;
    const gradient = this.svg.createSvg("defs").createSvg("linearGradient", {
      attr: { id: this.id, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: top, y2: bottom },
    });
    const stop = (cls: string, at: number): void => {
      const offset = Math.min(1, Math.max(0, (at - top) / (bottom - top)));
      gradient.createSvg("stop", { cls, attr: { offset: offset.toFixed(3) } });
    };
    stop("mnemex-s-fresh", y.reviewMax - 4);
    stop("mnemex-s-due", y.reviewMax + 4);
    stop("mnemex-s-due", y.reviewMin - 4);
    stop("mnemex-s-fading", y.reviewMin + 4);
  }

  private element(tag: "path" | "rect" | "circle", cls: string, attributes: Record<string, string | number>): SVGElement {
    const attr = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, typeof value === "number" ? fixed(value) : value]),
    );
    return this.svg.createSvg(tag, { cls, attr });
  }

  private text(text: string, x: number, y: number, anchor: string, cls: string): void {
    const attr = { x: fixed(x), y: fixed(y), "text-anchor": anchor };
    this.svg.createSvg("text", cls === "" ? { attr } : { cls, attr }).textContent = text;
  }
}

const TOP_LABEL = 19;
const CROWDED = 0.72;

function fixed(value: number): string {
  return value.toFixed(1);
}

function path(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${fixed(x)} ${fixed(y)}`).join("");
}
