import { expect, test } from "vitest";
import { daysBetween, readInstant, writeDay, writeInstant, Zone } from "../../src/notes/dates";

const BERLIN = new Zone("Europe/Berlin");
const utc = (text: string): number => Date.parse(text);

test.each([
  ["2026-11-29T22:30:00", "2026-11-29T21:30:00Z"],
  ["2026-07-01T12:00", "2026-07-01T10:00:00Z"],
  ["2026-07-01", "2026-06-30T22:00:00Z"],
  ["2024-11-10T16:04+02:00", "2024-11-10T14:04:00Z"],
  ["2024-11-10T16:04:05Z", "2024-11-10T16:04:05Z"],
  ["2024-11-10 16:04", "2024-11-10T15:04:00Z"],
])("%s is read as %s", (written, meant) => {
  expect(readInstant(written, BERLIN)).toBe(utc(meant));
});

test("epoch seconds and milliseconds are told apart", () => {
  expect(readInstant(1_796_000_000, BERLIN)).toBe(1_796_000_000_000);
  expect(readInstant(1_796_000_000_000, BERLIN)).toBe(1_796_000_000_000);
});

test.each(["banana", "2026-13-01", "2026-02-30T10:00", "2026-01-01T25:00", "0001-01-01", "9999-01-01", "", null, {}, -1e99])(
  "%j is no date",
  (value) => {
    expect(readInstant(value, BERLIN)).toBeNull();
  },
);

test("the first reading of a repeated hour is meant", () => {
  expect(readInstant("2026-10-25T02:30:00", BERLIN)).toBe(utc("2026-10-25T00:30:00Z"));
});

test("a skipped hour is read with the offset before the change", () => {
  expect(readInstant("2026-03-29T02:30:00", BERLIN)).toBe(utc("2026-03-29T01:30:00Z"));
});

test("writing and reading again changes nothing, in any zone and season", () => {
  for (const name of ["Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"]) {
    const zone = new Zone(name);
    for (let month = 0; month < 24; month++) {
      const instant = Date.UTC(2026, month, 11, 20, 13, 7);
      expect(readInstant(writeInstant(instant, zone), zone)).toBe(instant);
    }
  }
});

test("the day is that of the vault's zone, not of UTC", () => {
  const zone = new Zone("America/Los_Angeles");
  expect(writeDay(utc("2026-12-01T04:00:00Z"), zone)).toBe("2026-11-30");
  expect(daysBetween(utc("2026-12-01T07:59:00Z"), utc("2026-12-01T08:01:00Z"), zone)).toBe(1);
});

test("a zone that does not exist is refused", () => {
  expect(() => new Zone("Mars/Olympus")).toThrow(RangeError);
});
