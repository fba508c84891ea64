import { expect, test } from "vitest";
import { DEFAULT_POLICY, peak } from "../../src/domain/scoring";
import type { MemoryNote } from "../../src/obsidian/memory-cache";
import { unsettledPairs } from "../../src/obsidian/review-note";
import { readPreferences } from "../../src/obsidian/preferences";
import { ReviewDay } from "../../src/obsidian/review-day";
import { type Conflict, openConflicts } from "../../src/obsidian/versions";
import { agenda } from "../../src/ui/review-queue";
import { nextDue, reviewQueue, type Standing } from "../../src/ui/standing";
import { DAY, memoryNote, NOW } from "../notes_of";

const loved = ({ note }: Standing): number => peak(note.memory.usage, DEFAULT_POLICY);

function linked(title: string, type: "supersedes" | "contradicts", target: string, idleDays = 0, both: readonly string[] = []): MemoryNote {
  const note = memoryNote(title, { idleDays });
  const settled = both.map((name) => ({ type: "both_true" as const, target: name }));
  return { ...note, memory: { ...note.memory, relations: [{ type, target }, ...settled] } };
}

function conflicts(notes: readonly MemoryNote[], listed: readonly (readonly [string, string])[] = []): string[] {
  const named = (title: string): MemoryNote | null => notes.find(({ memory }) => memory.title === title) ?? null;
  const pairs = listed.map((titles) => titles.flatMap((title) => named(title) ?? [])).map(([one, other]) => [one, other] as const);
  return openConflicts(notes, pairs as [MemoryNote, MemoryNote][], named).map(({ newer, older }: Conflict) => `${newer.memory.title} over ${older.memory.title}`);
}

test("two memories conflict if somebody said so or the server lists them, the latest first and each pair once", () => {
  const mutual = [linked("A", "contradicts", "B", 9), linked("B", "contradicts", "A", 5)];
  const notes = [...mutual, memoryNote("Old", { idleDays: 30 }), memoryNote("New", { idleDays: 2 })];
  expect(conflicts(notes)).toEqual(["B over A"]);
  expect(conflicts(notes, [["Old", "New"], ["A", "B"]])).toEqual(["New over Old", "B over A"]);
  expect(conflicts([linked("Lost", "contradicts", "Gone")])).toEqual([]);
});

test("since when a memory says what it says goes before when it was saved", () => {
  const late = linked("Told late", "contradicts", "Told early", 1);
  const told = { ...late, memory: { ...late.memory, validFrom: NOW - 400 * DAY } };
  expect(conflicts([told, memoryNote("Told early", { idleDays: 30 })])).toEqual(["Told early over Told late"]);
});

test("what is archived, replaced, or was said to be true as well, is no conflict", () => {
  const archived = memoryNote("Old", { path: "Memories/Archive/2026/Old.md" });
  expect(conflicts([linked("New", "contradicts", "Old"), archived])).toEqual([]);
  expect(conflicts([linked("New", "contradicts", "Old", 0, ["Old"]), memoryNote("Old")])).toEqual([]);
  expect(conflicts([linked("New", "contradicts", "Old"), memoryNote("Old"), linked("Present", "supersedes", "Old")])).toEqual([]);
  expect(conflicts([linked("New", "supersedes", "Old"), memoryNote("Old")], [["New", "Old"]])).toEqual([]);
  expect(conflicts([linked("Old", "supersedes", "New"), memoryNote("New")], [["New", "Old"]])).toEqual([]);
});

test("the review note says of which memories it is to be said which holds", () => {
  const text = [
    "- [[New]] or the older [[Old]] %%mnemex:about:n1+o1%%",
    "    - [ ] The newer one %%mnemex:supersede:n1+o1%%",
    "    - [ ] The older one %%mnemex:supersede:o1+n1%%",
    "    - [ ] Both are true %%mnemex:keep-both:n1+o1%%",
    "- [[B]] and the older [[A]] %%mnemex:about:b1+a1%%",
    "    - [ ] The newer one replaces the older %%mnemex:supersede:b1+a1%%",
  ];
  expect(unsettledPairs(text.join("\n"))).toEqual([["n1", "o1"]]);
  expect(unsettledPairs("")).toEqual([]);
});

test("a review takes conflicts first, then what fades and is loved, in the order of days left", () => {
  const notes = [
    memoryNote("loved_due", { idleDays: 20, usage: { useCount: 4 } }),
    memoryNote("fading_once", { idleDays: 40 }),
    memoryNote("fading_loved", { idleDays: 55, usage: { useCount: 4, strength: 0.7 } }),
    memoryNote("due", { idleDays: 10 }),
  ];
  const due = reviewQueue(notes, DEFAULT_POLICY, NOW);
  const pair = { newer: memoryNote("N"), older: memoryNote("O") };
  expect(agenda([pair], due, 3, loved)).toEqual([["N", "O"], ["fading_once"], ["fading_loved"]]);
  expect(agenda([], due, 1, loved)).toEqual([["fading_loved"]]);
  expect(agenda([], due, Infinity, loved)).toHaveLength(due.length);
  expect(agenda([{ newer: memoryNote("N"), older: notes[3] ?? memoryNote("O") }], due, Infinity, loved)).toHaveLength(due.length);
});

test("what was reviewed counts for its day", () => {
  let day = "2026-11-30";
  const kept = new Map<string, unknown>();
  const reviewed = new ReviewDay({ load: (key) => kept.get(key), save: (key, value) => void kept.set(key, value) }, () => day);
  reviewed.add(1);
  reviewed.add(1);
  reviewed.add(-1);
  expect(reviewed.done).toBe(1);
  day = "2026-12-01";
  expect(reviewed.done).toBe(0);
  kept.set("review", "nonsense");
  expect(reviewed.done).toBe(0);
});

test.each([
  [{ reviewCap: 3 }, 3],
  [{ reviewCap: 0 }, 0],
  [{ reviewCap: -1 }, 7],
  [{ reviewCap: 2.5 }, 7],
  [{ reviewCap: "5" }, 7],
  [null, 7],
])("preferences %j give a cap of %d", (stored, cap) => {
  expect(readPreferences(stored).reviewCap).toBe(cap);
});

test("the next memory is due when it falls below the zone", () => {
  expect(nextDue([memoryNote("A"), memoryNote("B", { usage: { pinned: true } })], DEFAULT_POLICY)).toBeGreaterThan(NOW + DAY);
  expect(nextDue([memoryNote("B", { usage: { pinned: true } })], DEFAULT_POLICY)).toBeNull();
});
