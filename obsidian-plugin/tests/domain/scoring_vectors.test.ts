import { expect, test } from "vitest";
import { type DecayCurve, Exponential, Pauses, PowerLaw, type Span, TwoComponent } from "../../src/domain/decay";
import { usage } from "../../src/domain/memory";
import { DEFAULT_POLICY, reviewPriority, score, secondsUntil } from "../../src/domain/scoring";
import { expectClose, vectors } from "../vectors";

interface Curve {
  readonly model: string;
  readonly alpha?: string;
  readonly half_life_days?: string;
  readonly lambda_fast?: string;
  readonly lambda_slow?: string;
  readonly weight_fast?: string;
}

interface Case {
  readonly curve: Curve;
  readonly beta: string;
  readonly use_count: number;
  readonly strength: string;
}

interface Vectors {
  readonly score: readonly (Case & { age_seconds: number; retention: string; score: string })[];
  readonly age_at_level: readonly (Case & { level: string; seconds: string | null })[];
  readonly review_priority: readonly { score: string; priority: string }[];
  readonly clock: readonly {
    spans: readonly Span[];
    now: number;
    last_used: number;
    idle_seconds: number;
    counted_seconds: number;
    calendar_seconds: number;
  }[];
}

const { score: scores, age_at_level: ages, review_priority: priorities, clock } = vectors<Vectors>("scoring.json");
const LAST_USED = Date.UTC(2026, 10, 29);

function curveOf(curve: Curve): DecayCurve {
  if (curve.model === "power_law") return new PowerLaw(Number(curve.alpha), Number(curve.half_life_days));
  if (curve.model === "exponential") return new Exponential(Number(curve.half_life_days));
  return new TwoComponent(Number(curve.lambda_fast), Number(curve.lambda_slow), Number(curve.weight_fast));
}

function setUp(row: Case) {
  const policy = { ...DEFAULT_POLICY, curve: curveOf(row.curve), useExponent: Number(row.beta) };
  const facts = usage(LAST_USED, { useCount: Math.max(1, row.use_count), strength: Number(row.strength) });
  return { policy, facts };
}

test("every retention and score agrees with the reference at 1e-12", () => {
  expect(scores.length).toBeGreaterThan(1000);
  for (const row of scores) {
    const { policy, facts } = setUp(row);
    expectClose(policy.curve.retention(row.age_seconds), Number(row.retention));
    expectClose(score(facts, policy, LAST_USED + row.age_seconds * 1000), Number(row.score));
  }
});

test("every age at which a score falls to a level agrees with the reference", () => {
  expect(ages.length).toBeGreaterThan(100);
  for (const row of ages) {
    const { policy, facts } = setUp(row);
    const seconds = secondsUntil(facts, policy, Number(row.level));
    if (row.seconds === null) expect(seconds).toBeNull();
    else expectClose(seconds, Number(row.seconds), 1e-9);
  }
});

test("every review priority agrees with the reference", () => {
  for (const row of priorities) expectClose(reviewPriority(Number(row.score), DEFAULT_POLICY), Number(row.priority));
});

test("the clock that counts only days in use agrees with the reference", () => {
  expect(clock.length).toBeGreaterThan(50);
  for (const row of clock) {
    const pauses = Pauses.between(row.spans).until(row.now);
    expect(pauses.passed(row.last_used, row.now)).toBe(row.idle_seconds);
    expect(pauses.stretched(row.last_used, row.counted_seconds)).toBe(row.calendar_seconds);
  }
});
