import { expect, test } from "vitest";
import type { Change } from "../../src/obsidian/journal";
import { LastLook } from "../../src/obsidian/last-look";
import type { MemoryNote } from "../../src/obsidian/memory-cache";
import { eventsOf, type Event, type StreamLine, streamLines } from "../../src/ui/learnt-model";
import { trailOf } from "../../src/ui/trail";
import { DAY, memoryNote, NOW, SETTINGS } from "../notes_of";

const HOUR = DAY / 24;

function own(memoryId: string, verb: Change["verb"], at: number): Change {
  return { id: "c", at, verb, memoryId, title: memoryId, from: "", to: "", set: {}, undone: false };
}

function events(notes: readonly MemoryNote[], changes: readonly Change[] = [], changed = new Map<string, number>()): Event[] {
  return eventsOf({ notes, changes, changed, zone: SETTINGS.zone }, 0);
}

function said(found: readonly Event[]): string[] {
  return found.map(({ what, note }) => `${note.memory.title} ${what}`).sort();
}

function shape(lines: readonly StreamLine[]): string[] {
  return lines.map((line) => (line.kind === "day" ? line.day : line.kind === "learnt" ? `${line.note.memory.title}: ${line.what.join(", ")}` : line.kind));
}

const at = (title: string, created: number, lastUsed = created): MemoryNote => memoryNote(title, { usage: { created, lastUsed } });

test("what an assistant saved, used or promoted is told by the note alone", () => {
  const used = memoryNote("B", { usage: { created: NOW - 9 * DAY, lastUsed: NOW - HOUR, promoted: NOW - 2 * DAY } });
  const { memory } = at("C", NOW);
  const mine = { ...at("C", NOW), memory: { ...memory, origin: null } };
  expect(said(events([at("A", NOW), used, mine]))).toEqual(["A saved", "B promoted", "B saved", "B used"]);
});

test("what a person did here is no news", () => {
  const note = memoryNote("A", { usage: { created: NOW - 9 * DAY, lastUsed: NOW, promoted: NOW } });
  const changed = new Map([["A", NOW]]);
  const changes = [own("A", "kept", NOW + 900), own("A", "promoted", NOW + 900), own("A", "edited", NOW + 900)];
  expect(said(events([note], [], changed))).toEqual(["A changed", "A promoted", "A saved", "A used"]);
  expect(said(events([note], changes, changed))).toEqual(["A saved"]);
  expect(said(events([note], [own("A", "kept", NOW - HOUR)]))).toEqual(["A promoted", "A saved", "A used"]);
});

test("a memory that is kept here stays where somebody else used it", () => {
  const note = at("A", NOW - 9 * DAY, NOW);
  const kept = { ...own("A", "kept", NOW + 900), set: { last_used: ["2026-11-29T09:00:00", "2026-11-30T09:00:00"] as const } };
  expect(events([note], [kept]).map(({ what, at: when }) => [what, when])).toEqual([["saved", NOW - 9 * DAY], ["used", NOW - DAY]]);
  expect(said(events([note], [{ ...kept, undone: true }]))).toEqual(["A saved", "A used"]);
});

test("days come with the latest first, and a memory stands once under each", () => {
  const both = at("A", NOW - 3 * HOUR, NOW - HOUR);
  const days = at("B", NOW - 2 * DAY, NOW - 2 * HOUR);
  const lines = streamLines(events([both, days]), () => false, SETTINGS.zone);
  expect(shape(lines)).toEqual(["2026-11-30", "A: saved, used", "B: used", "2026-11-28", "B: saved"]);
});

test("a conversation holds what was saved in it and what was used while it went on", () => {
  const talk = at("A", NOW - DAY);
  const inTalk = { ...talk, memory: { ...talk.memory, session: "planning" } };
  const others = [at("B", NOW - 9 * DAY, NOW - DAY + HOUR / 4), at("C", NOW - 9 * DAY, NOW - DAY + HOUR), at("D", NOW - DAY)];
  expect(said(trailOf("planning", events([inTalk, ...others])))).toEqual(["A saved", "B used"]);
});

function store(): { load(key: string): unknown; save(key: string, value: unknown): void } {
  const kept = new Map<string, string>();
  return { load: (key) => JSON.parse(kept.get(key) ?? "null") as unknown, save: (key, value) => void kept.set(key, JSON.stringify(value)) };
}

test("what was shown is not new any more, and what a sync brings later is", () => {
  const kept = store();
  const first = new LastLook(kept, NOW);
  const before = { id: "before", at: NOW - DAY };
  const shown = { id: "shown", at: NOW + HOUR };
  const late = { id: "late", at: NOW + HOUR };
  expect([before, shown].map((one) => first.isNew(one))).toEqual([false, true]);
  first.lookAt([before, shown], NOW + DAY);
  const second = new LastLook(kept, NOW + 2 * DAY);
  expect([before, shown, late].map((one) => second.isNew(one))).toEqual([false, false, true]);
  second.lookAt([late], NOW + 40 * DAY);
  expect(second.isNew({ id: "older than a fortnight", at: NOW + 20 * DAY })).toBe(false);
});

test("a stored look that makes no sense counts as none", () => {
  const look = new LastLook({ load: () => ({ at: "yesterday", seen: 5 }), save: () => undefined }, NOW);
  expect([look.at, look.since]).toEqual([NOW, NOW]);
});
