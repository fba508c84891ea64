import { expect, test } from "vitest";
import { DAY_SECONDS } from "../../src/domain/decay";
import { usage, type Usage } from "../../src/domain/memory";
import {
  bounded,
  DEFAULT_POLICY,
  fadesAt,
  forgetLevel,
  forgettable,
  promotionReason,
  reviewDue,
  score,
  state,
} from "../../src/domain/scoring";
import { expectClose } from "../vectors";

const NOW = Date.UTC(2026, 10, 29, 12);
const DAY = DAY_SECONDS * 1000;

function idle(days: number, facts: Partial<Usage> = {}): Usage {
  return usage(NOW - days * DAY, facts);
}

test("a pinned memory keeps the score of its last use", () => {
  expectClose(score(idle(400, { pinned: true, useCount: 5 }), DEFAULT_POLICY, NOW), Math.pow(5, 0.6));
  expect(fadesAt(idle(400, { pinned: true }), DEFAULT_POLICY)).toBeNull();
  expect(forgettable(idle(4000, { pinned: true }), DEFAULT_POLICY, NOW)).toBe(false);
});

test("a memory used once fades 48.6 days after its use", () => {
  const at = fadesAt(idle(0), DEFAULT_POLICY) ?? 0;
  expect((at - NOW) / DAY).toBeCloseTo(48.6, 1);
  expect(forgettable(idle(48), DEFAULT_POLICY, NOW)).toBe(false);
  expect(forgettable(idle(49), DEFAULT_POLICY, NOW)).toBe(true);
});

test("states are decided on unrounded scores", () => {
  const at = (level: number): Usage => idle(DEFAULT_POLICY.curve.secondsUntil(level) / DAY_SECONDS);
  expect(state(at(0.1499), DEFAULT_POLICY, NOW)).toBe("fading");
  expect(state(at(0.1501), DEFAULT_POLICY, NOW)).toBe("due");
  expect(state(at(0.3499), DEFAULT_POLICY, NOW)).toBe("due");
  expect(state(at(0.3501), DEFAULT_POLICY, NOW)).toBe("fresh");
  expect(state(idle(400, { pinned: true }), DEFAULT_POLICY, NOW)).toBe("pinned");
});

test("the bounded score puts the marks of the scale at 12.5, 30, 50, 65 and 74 percent", () => {
  const percent = [0.05, 0.15, 0.35, 0.65, 1].map((value) => Math.round(bounded(value, DEFAULT_POLICY) * 1000) / 10);
  expect(percent).toEqual([12.5, 30, 50, 65, 74.1]);
});

test("promotion needs three uses after the save on two days", () => {
  expect(promotionReason(idle(0, { useCount: 4, daysUsed: 2 }), DEFAULT_POLICY, NOW)).toBe("high score");
  expect(promotionReason(idle(0, { useCount: 3, daysUsed: 2 }), DEFAULT_POLICY, NOW)).toBeNull();
  expect(promotionReason(idle(0, { useCount: 4, daysUsed: 1 }), DEFAULT_POLICY, NOW)).toBeNull();
  expect(promotionReason(idle(0, { useCount: 9, daysUsed: 3 }), DEFAULT_POLICY, NOW, "web")).toBeNull();
});

test("frequent use promotes a young memory whose score is low", () => {
  const facts = { useCount: 5, daysUsed: 2, strength: 0.1 };
  expect(promotionReason(idle(13, facts), DEFAULT_POLICY, NOW)).toBe("frequent use");
  expect(promotionReason(idle(15, facts), DEFAULT_POLICY, NOW)).toBeNull();
});

test("a demoted memory is not promoted again before a new use", () => {
  const facts = { useCount: 6, daysUsed: 3 };
  expect(promotionReason(idle(1, { ...facts, promoted: NOW - DAY }), DEFAULT_POLICY, NOW)).toBeNull();
  expect(promotionReason(idle(1, { ...facts, promoted: NOW - 2 * DAY }), DEFAULT_POLICY, NOW)).toBe("high score");
});

test("the forget level follows from days where those are set", () => {
  const policy = { ...DEFAULT_POLICY, forgetAfterDays: 30 };
  expectClose(forgetLevel(policy), 0.0814131878838034);
});

test("only unpinned short-term memories are due for review", () => {
  const facts = idle(DEFAULT_POLICY.curve.secondsUntil(0.25) / DAY_SECONDS);
  expect(reviewDue(facts, DEFAULT_POLICY, NOW)).toBe(true);
  expect(reviewDue(facts, DEFAULT_POLICY, NOW, "long-term")).toBe(false);
  expect(reviewDue({ ...facts, pinned: true }, DEFAULT_POLICY, NOW)).toBe(false);
});
