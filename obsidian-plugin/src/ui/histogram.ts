/** The histogram of scores, on the same scale as bars and curve. */

import { bounded, forgetLevel, type Policy, stateOfScore } from "../domain/scoring";
import { textWidth } from "./curve-labels";
import type { Standing } from "./standing";

const BIN = 0.025;
const BINS = 36;
const TOP = 8;
const FOOT = 34;
const NEAREST_TICKS = 26;
// a word may stand out over both ends of its zone, if its neighbour leaves room
const WORD_OVERHANG = 8;

export interface Bin {
  readonly count: number;
  readonly state: "fading" | "due" | "fresh";
}

/** Count scores in equal steps of the common scale; what lies above goes into the last. */
export function histogram(items: readonly Standing[], policy: Policy): Bin[] {
  const counts = new Array<number>(BINS).fill(0);
  for (const item of items) {
    const index = Math.min(BINS - 1, Math.floor(item.level / BIN));
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({ count, state: stateOfScore(unbounded((index + 0.5) * BIN, policy), policy) }));
}

function unbounded(level: number, policy: Policy): number {
  return (level * policy.reviewMax) / (1 - level);
}

/** Say what the histogram shows. */
export function describeHistogram(items: readonly Standing[]): string {
  const count = (state: string): number => items.filter((item) => item.state === state).length;
  return (
    `Scores of ${items.length} short-term memories: ` +
    `${count("fading")} fading, ${count("due")} due for review, ${count("fresh")} fresh`
  );
}

/** Draw the histogram into `parent`, replacing what is there. */
export function drawHistogram(
  parent: HTMLElement,
  items: readonly Standing[],
  policy: Policy,
  size: { readonly width: number; readonly height: number },
): void {
  parent.empty();
  const { width, height } = size;
  const bottom = height - FOOT;
  const svg = parent.createSvg("svg", { cls: "mnemex-curve", attr: { viewBox: `0 0 ${width} ${height}`, role: "img" } });
  svg.createSvg("title").textContent = describeHistogram(items);
  const x = (value: number): number => (bounded(value, policy) / (BIN * BINS)) * width;
  const shape = (tag: "path" | "rect", cls: string, attr: Record<string, string>): SVGElement =>
    svg.createSvg(tag, { cls, attr });
  const [low, high] = [x(policy.reviewMin), x(policy.reviewMax)];
  const band = { x: fixed(low), y: `${TOP}`, width: fixed(high - low), height: fixed(bottom - TOP) };
  shape("rect", "mnemex-c-band", band);
  shape("path", "mnemex-c-promote", { d: `M${fixed(x(policy.promoteThreshold))} ${TOP}V${bottom}` });
  shape("path", "mnemex-c-forget", { d: `M${fixed(x(forgetLevel(policy)))} ${TOP}V${bottom}` });
  drawBins(svg, histogram(items, policy), width, bottom);
  shape("path", "mnemex-c-axis", { d: `M0 ${bottom + 0.5}H${width}` });
  drawTicks(svg, [forgetLevel(policy), policy.reviewMin, policy.reviewMax, policy.promoteThreshold, 1, 2], x, bottom);
  const word = (texts: readonly string[], from: number, to: number): void => {
    const text = texts.find((candidate) => textWidth(candidate) <= to - from + WORD_OVERHANG);
    if (text === undefined) return;
    const attr = { x: fixed((from + to) / 2), y: `${bottom + 30}`, "text-anchor": "middle" };
    svg.createSvg("text", { cls: "mnemex-c-note", attr }).textContent = text;
  };
  word(["fading"], x(forgetLevel(policy)), low);
  word(["due for review", "due"], low, high);
  word(["fresh"], high, width);
}

function drawBins(svg: SVGSVGElement, bins: readonly Bin[], width: number, bottom: number): void {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const step = width / BINS;
  for (const [index, { count, state }] of bins.entries()) {
    if (count === 0) continue;
    const height = ((bottom - TOP) * count) / most;
    const attr = { x: fixed(index * step + 1.5), y: fixed(bottom - height), width: fixed(step - 3), height: fixed(height) };
    svg.createSvg("rect", { cls: "mnemex-h", attr: { ...attr, rx: "1.5", "data-state": state } });
  }
}

function drawTicks(svg: SVGSVGElement, values: readonly number[], x: (value: number) => number, bottom: number): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const value of [...values].sort((one, other) => one - other)) {
    const at = x(value);
    if (at - last < NEAREST_TICKS) continue;
    last = at;
    svg.createSvg("path", { cls: "mnemex-c-tick", attr: { d: `M${fixed(at)} ${bottom}v4` } });
    const attr = { x: fixed(at), y: `${bottom + 16}`, "text-anchor": "middle" };
    svg.createSvg("text", { attr }).textContent = String(Number(value.toFixed(3)));
  }
}

function fixed(value: number): string {
  return value.toFixed(1);
}
