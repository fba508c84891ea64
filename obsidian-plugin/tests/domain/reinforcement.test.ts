import { expect, test } from "vitest";
import { usage } from "../../src/domain/memory";
import { isCrossDomain, observe, use } from "../../src/domain/reinforcement";

const SAVED = Date.UTC(2026, 10, 29, 22);
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

test("a use counts once, and a new day once", () => {
  const sameDay = use(usage(SAVED), SAVED + 3_600_000, dayOf);
  expect(sameDay).toMatchObject({ useCount: 2, daysUsed: 1, lastUsed: SAVED + 3_600_000, strength: 1 });
  const nextDay = use(sameDay, SAVED + 7_200_000, dayOf);
  expect(nextDay).toMatchObject({ useCount: 3, daysUsed: 2 });
});

test("a clock that went back does not lower the last use", () => {
  expect(use(usage(SAVED), SAVED - 86_400_000, dayOf)).toMatchObject({ lastUsed: SAVED, useCount: 2, daysUsed: 1 });
});

test("strength grows to 2 and not beyond", () => {
  expect(use(usage(SAVED, { strength: 1.95 }), SAVED, dayOf, true).strength).toBe(2);
});

test("a review is counted, and another domain strengthens a little", () => {
  const seen = observe(usage(SAVED), SAVED + 1, dayOf, true);
  expect(seen).toMatchObject({ useCount: 2, reviewCount: 1, lastReview: SAVED + 1, crossDomainCount: 1, strength: 1.05 });
  expect(observe(usage(SAVED), SAVED, dayOf, false)).toMatchObject({ crossDomainCount: 0, strength: 1 });
});

test("another domain shares few tags, and needs tags on both sides", () => {
  expect(isCrossDomain(["a", "b", "c"], ["c", "d", "e", "f"])).toBe(true);
  expect(isCrossDomain(["#A", "b"], ["a", "B"])).toBe(false);
  expect(isCrossDomain([], ["a"])).toBe(false);
});
