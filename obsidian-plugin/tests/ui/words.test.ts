import { expect, test } from "vitest";
import { Zone } from "../../src/notes/dates";
import { figure, memoriesAreFading, used, Words } from "../../src/ui/words";
import { DAY, NOW, WORDS } from "../notes_of";

test.each([
  [-3, "fades today"],
  [0.2, "fades today"],
  [1, "fades tomorrow"],
  [12, "fades in 12 days"],
  [60, "fades in 60 days"],
  [61, "fades 30 Jan"],
  [900, "fades 18 May 2029"],
])("in %d days: %s", (days, text) => {
  expect(WORDS.fades(NOW + days * DAY, NOW)).toBe(text);
});

test("what does not fade says so", () => {
  expect(WORDS.fades(null, NOW)).toBe("does not fade");
});

test("days are those of the vault's zone", () => {
  const zone = new Words(new Zone("Pacific/Auckland"), "en");
  expect(zone.day(Date.UTC(2026, 10, 30, 12), NOW)).toBe("1 Dec");
  expect(zone.time(Date.UTC(2026, 10, 30, 12, 5))).toBe("01:05");
});

test("dates are written in the language of the app", () => {
  expect(new Words(new Zone("UTC"), "ja").day(NOW, NOW)).toBe("11月30日");
  expect(new Words(new Zone("UTC"), "de").month(NOW, NOW)).toBe("November");
});

test("days have headings, months a year where it is another", () => {
  expect([0, 1, 2].map((days) => WORDS.dayHeading(NOW - days * DAY, NOW))).toEqual(["Today", "Yesterday", "Sat 28 Nov"]);
  expect(WORDS.month(NOW - 365 * DAY, NOW)).toBe("November 2025");
});

test("counts and figures", () => {
  expect([used(1), used(5), figure(0.4249), figure(1.385)]).toEqual(["used once", "used 5 times", "0.42", "1.39"]);
  expect([memoriesAreFading(1), memoriesAreFading(3)]).toEqual(["1 memory is fading", "3 memories are fading"]);
});
