/**
 * How memories fade: three curves of retention over the time since the last use, and the clock that counts it.
 *
 * `retention` takes seconds since the last use and gives the part that is left, 1 at 0; a negative age counts as 0.
 * Power law after Wixted and Ebbesen (1991); exponential after Ebbinghaus; two components: a fast and a slow store.
 */

export const DAY_SECONDS = 86_400;

/** What a day counts for: every day, or those on which the vault is used. */
export type DecayClock = "days" | "active_days";

// so many days without a use are a long weekend, and no leave
const REST_DAYS = 3;

// bisection of the two-component curve: enough halvings to exhaust double precision
const HALVINGS = 200;

/** The models by their word in the settings, as people call them. */
export const MODELS = { power_law: "power law", exponential: "exponential", two_component: "two components" } as const;

export type Model = keyof typeof MODELS;

/** What a number of the settings may be. */
export interface Limits {
  readonly low: number;
  readonly high?: number;
  readonly above?: boolean;
  readonly whole?: boolean;
}

export const SHARE: Limits = { low: 0, high: 1 };
export const POSITIVE: Limits = { low: 0, above: true };

/** Settings that were given, with what holds where none was. */
export interface Given {
  choice<Word extends string>(key: string, words: readonly Word[], standard: Word): Word;
  number(key: string, standard: number, limits: Limits): number;
  optional(key: string, limits: Limits): number | null;
}

export interface DecayCurve {
  readonly model: Model;
  readonly halfLifeDays: number;
  /** Return the part that is left after `seconds`. */
  retention(seconds: number): number;
  /** Return the age in seconds at which `level` (0..1] is left. */
  secondsUntil(level: number): number;
  /** Return the same curve with another half-life. */
  withHalfLife(days: number): DecayCurve;
}

function requirePositive(values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} must be a positive number`);
  }
}

/** `(1 + t/t0)^-alpha`, with t0 such that half is left after `halfLifeDays`. */
export class PowerLaw implements DecayCurve {
  readonly model = "power_law";

  constructor(
    readonly alpha = 1.1,
    readonly halfLifeDays = 3,
  ) {
    requirePositive({ alpha, halfLifeDays });
  }

  /** Return t0 in seconds. */
  get timeScale(): number {
    return (this.halfLifeDays * DAY_SECONDS) / Math.expm1(Math.LN2 / this.alpha);
  }

  retention(seconds: number): number {
    return Math.exp(-this.alpha * Math.log1p(Math.max(0, seconds) / this.timeScale));
  }

  secondsUntil(level: number): number {
    return this.timeScale * Math.expm1(-Math.log(level) / this.alpha);
  }

  withHalfLife(days: number): PowerLaw {
    return new PowerLaw(this.alpha, days);
  }
}

/** `2^(-t/H)` with a half-life H of `halfLifeDays`. */
export class Exponential implements DecayCurve {
  readonly model = "exponential";

  constructor(readonly halfLifeDays = 3) {
    requirePositive({ halfLifeDays });
  }

  /** Return `exp(-rate * t)`, the rate per second. */
  static fromRate(rate: number): Exponential {
    requirePositive({ rate });
    return new Exponential(Math.LN2 / rate / DAY_SECONDS);
  }

  retention(seconds: number): number {
    return Math.pow(2, -Math.max(0, seconds) / (this.halfLifeDays * DAY_SECONDS));
  }

  secondsUntil(level: number): number {
    return -Math.log2(level) * this.halfLifeDays * DAY_SECONDS;
  }

  withHalfLife(days: number): Exponential {
    return new Exponential(days);
  }
}

/** `w exp(-f t) + (1-w) exp(-s t)`, rates per second; with the default rates half is left after 0.824 days. */
export class TwoComponent implements DecayCurve {
  readonly model = "two_component";

  constructor(
    readonly rateFast = 1.603e-5,
    readonly rateSlow = 1.147e-6,
    readonly weightFast = 0.7,
  ) {
    requirePositive({ rateFast, rateSlow });
    if (!(weightFast >= 0 && weightFast <= 1)) throw new RangeError("weightFast lies between 0 and 1");
  }

  get halfLifeDays(): number {
    return this.secondsUntil(0.5) / DAY_SECONDS;
  }

  retention(seconds: number): number {
    const age = Math.max(0, seconds);
    const fast = this.weightFast * Math.exp(-this.rateFast * age);
    return fast + (1 - this.weightFast) * Math.exp(-this.rateSlow * age);
  }

  secondsUntil(level: number): number {
    let low = 0;
    let high = DAY_SECONDS;
    while (this.retention(high) > level) high *= 2;
    for (let step = 0; step < HALVINGS; step++) {
      const middle = (low + high) / 2;
      if (middle === low || middle === high) break;
      if (this.retention(middle) > level) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Return the curve slowed or sped up as a whole, so that half is left after `days`. */
  withHalfLife(days: number): TwoComponent {
    requirePositive({ halfLifeDays: days });
    const factor = this.halfLifeDays / days;
    return new TwoComponent(this.rateFast * factor, this.rateSlow * factor, this.weightFast);
  }
}

/** Return the curve that the settings ask for. */
export function curveOf(given: Given): DecayCurve {
  const model = given.choice("decay_model", Object.keys(MODELS) as Model[], "power_law");
  const halfLife = given.number("pl_halflife_days", 3, POSITIVE);
  const alpha = given.number("pl_alpha", 1.1, { low: 0.01 });
  const rate = given.optional("decay_lambda", POSITIVE);
  const fast = given.number("tc_lambda_fast", 1.603e-5, POSITIVE);
  const slow = given.number("tc_lambda_slow", 1.147e-6, POSITIVE);
  const weight = given.number("tc_weight_fast", 0.7, SHARE);
  if (model === "two_component") return new TwoComponent(fast, slow, weight);
  if (model === "power_law") return new PowerLaw(alpha, halfLife);
  return rate === null ? new Exponential(halfLife) : Exponential.fromRate(rate);
}

/** The first and the last day (UTC, counted from 1970) on which a memory was used, and on how many days it was. */
export type Span = readonly [first: number, last: number, days: number];

/** A stretch of time in which the vault was not used, in seconds since 1970. */
type Pause = readonly [begin: number, end: number];

/** The times in which the vault was not used, and nothing fades. */
export class Pauses {
  constructor(readonly all: readonly Pause[] = []) {}

  /**
   * Return the pauses that these uses tell of; the last one has no end yet.
   *
   * A memory tells its first and its last use and on how many days there was one, so that a pause is no longer than the
   * days on which a memory that was used before and after it can have lain idle.
   */
  static between(spans: readonly Span[]): Pauses {
    const used = [...new Set(spans.flatMap(([first, last]) => [first, last]))].sort((one, other) => one - other);
    // only these can be what makes a pause shorter
    const often = spans.filter(([, , days]) => days > REST_DAYS);
    const found: Pause[] = [];
    used.forEach((day, index) => {
      const next = used[index + 1];
      if (next === undefined) found.push([(day + 1 + REST_DAYS) * DAY_SECONDS, Infinity]);
      else {
        const length = idleDays(day, next, often);
        if (length > 0) found.push([(next - length) * DAY_SECONDS, next * DAY_SECONDS]);
      }
    });
    return new Pauses(found);
  }

  /** Return the pauses as they are known at a moment: none is later, and a present one ends there. */
  until(now: number): Pauses {
    const known = this.all.filter(([begin]) => begin < now);
    return new Pauses(known.map(([begin, end]) => [begin, Math.min(end, now)]));
  }

  /** Return the seconds between two moments, without those of pauses. */
  passed(begin: number, end: number): number {
    const idle = this.all.map(([start, stop]) => Math.max(0, Math.min(stop, end) - Math.max(start, begin)));
    return Math.max(0, end - begin - idle.reduce((sum, length) => sum + length, 0));
  }

  /** Return how many seconds it takes from a moment on until so many have passed, pauses aside. */
  stretched(begin: number, seconds: number): number {
    let whole = seconds;
    for (const [start, stop] of this.all) {
      if (start >= begin + whole) break;
      whole += Math.max(0, stop - Math.max(start, begin));
    }
    return whole;
  }
}

function idleDays(earlier: number, later: number, often: readonly Span[]): number {
  const around = often.filter(([first, last]) => first <= earlier && last >= later);
  const spare = around.map(([first, last, days]) => last - first + 1 - days);
  return [later - earlier - 1 - REST_DAYS, ...spare].reduce((least, each) => Math.min(least, each));
}
