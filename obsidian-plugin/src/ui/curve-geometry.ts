/** The decay curve of one memory as numbers: where its lines, marks and labels lie in a drawing. */

import type { Instant, Tier, Usage } from "../domain/memory";
import { use } from "../domain/reinforcement";
import { bounded, fadesAt, forgetLevel, peak, type Policy, score } from "../domain/scoring";

export interface CurveSize {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface CurveGeometry {
  readonly size: CurveSize;
  /** The scores of the marks as heights. */
  readonly y: { readonly forget: number; readonly reviewMin: number; readonly reviewMax: number; readonly promote: number };
  readonly top: number;
  readonly bottom: number;
  readonly past: readonly Point[];
  readonly future: readonly Point[];
  /** What one more use now would do; empty where that is not drawn. */
  readonly used: readonly Point[];
  readonly now: Point;
  /** Where the curve crosses the forget line; null if it does not. */
  readonly fade: Point | null;
  readonly fadesAt: Instant | null;
  readonly usedFadesAt: Instant | null;
  /** A memory that does not fade is one level line. */
  readonly level: boolean;
}

const TOP = 14;
const FOOT = 20;
const AFTER_FADE = 1.16;
const LOWEST_CEILING = 0.78;
const HEADROOM = 1.04;
const SAMPLES = 40;
// where nothing says how long to draw
const DEFAULT_SPAN = 30 * 86_400_000;

/** Lay out the curve of a memory. */
export function curveGeometry(
  usage: Usage,
  tier: Tier,
  policy: Policy,
  now: Instant,
  size: CurveSize,
): CurveGeometry {
  const level = usage.pinned || tier === "long-term";
  const used = use(usage, now, () => "");
  const fade = level ? null : fadesAt(usage, policy);
  const usedFades = level ? null : fadesAt(used, policy);
  const axes = new Axes(usage, used, policy, size, spanOf(usage, fade, now));
  const valueAt = (at: Instant): number => (level ? score(usage, policy, now) : score(usage, policy, at));
  const curve = (from: Instant, to: Instant): Point[] => axes.sample(from, to, valueAt);
  const showsUse = !level && tier === "short-term";
  const end = usage.lastUsed + axes.span;
  return {
    size,
    y: {
      forget: axes.y(forgetLevel(policy)),
      reviewMin: axes.y(policy.reviewMin),
      reviewMax: axes.y(policy.reviewMax),
      promote: axes.y(policy.promoteThreshold),
    },
    top: TOP,
    bottom: axes.bottom,
    past: curve(usage.lastUsed, Math.max(now, usage.lastUsed)),
    future: curve(Math.max(now, usage.lastUsed), end),
    used: showsUse ? axes.sample(now, end, (at) => score(used, policy, at)) : [],
    now: { x: axes.x(now), y: axes.y(valueAt(now)) },
    fade: fade === null ? null : { x: axes.x(fade), y: axes.y(forgetLevel(policy)) },
    fadesAt: fade,
    usedFadesAt: usedFades,
    level,
  };
}

function spanOf(usage: Usage, fade: Instant | null, now: Instant): number {
  const idle = Math.max(0, now - usage.lastUsed);
  const reach = fade === null ? idle * 2 : fade - usage.lastUsed;
  return Math.max(reach, idle, fade === null ? DEFAULT_SPAN : 86_400_000) * AFTER_FADE;
}

class Axes {
  readonly bottom: number;
  private readonly scale: number;

  constructor(
    private readonly usage: Usage,
    used: Usage,
    private readonly policy: Policy,
    private readonly size: CurveSize,
    readonly span: number,
  ) {
    this.bottom = size.height - FOOT;
    const highest = bounded(Math.max(peak(usage, policy), peak(used, policy)), policy);
    this.scale = (this.bottom - TOP) / Math.max(LOWEST_CEILING, highest * HEADROOM);
  }

  x(at: Instant): number {
    const share = Math.min(1, Math.max(0, (at - this.usage.lastUsed) / this.span));
    return 1 + share * (this.size.width - 2);
  }

  y(value: number): number {
    return this.bottom - bounded(value, this.policy) * this.scale;
  }

  /** Sample a curve, densely where it is steep. */
  sample(from: Instant, to: Instant, value: (at: Instant) => number): Point[] {
    return Array.from({ length: SAMPLES }, (_, step) => {
      const at = from + (to - from) * (step / (SAMPLES - 1)) ** 1.8;
      return { x: this.x(at), y: this.y(value(at)) };
    });
  }
}
