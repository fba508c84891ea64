import { expect, test } from "vitest";
import { DAY_SECONDS, Exponential, PowerLaw, TwoComponent } from "../../src/domain/decay";
import { expectClose } from "../vectors";

const CURVES = [new PowerLaw(), new Exponential(), new TwoComponent(), new PowerLaw(0.5, 14)];

test.each(CURVES)("nothing is lost at age 0 and half is left at the half-life: $model", (curve) => {
  expect(curve.retention(0)).toBe(1);
  expect(curve.retention(-5)).toBe(1);
  expectClose(curve.retention(curve.halfLifeDays * DAY_SECONDS), 0.5);
});

test.each(CURVES)("retention never rises: $model", (curve) => {
  const left = Array.from({ length: 400 }, (_, day) => curve.retention(day * DAY_SECONDS));
  for (let day = 1; day < left.length; day++) expect(left[day]).toBeLessThanOrEqual(left[day - 1] ?? 0);
});

test.each(CURVES)("a new half-life is the half-life: $model", (curve) => {
  expectClose(curve.withHalfLife(7).retention(7 * DAY_SECONDS), 0.5, 1e-9);
});

test("a rate per second is the same exponential", () => {
  expectClose(Exponential.fromRate(2.673e-6).retention(86_400), Math.exp(-2.673e-6 * 86_400));
});

test("impossible curves are refused", () => {
  expect(() => new PowerLaw(0)).toThrow(RangeError);
  expect(() => new Exponential(Number.NaN)).toThrow(RangeError);
  expect(() => new TwoComponent(1, 1, 1.5)).toThrow(RangeError);
});
