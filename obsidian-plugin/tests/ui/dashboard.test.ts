import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/domain/scoring";
import type { Change, Verb } from "../../src/obsidian/journal";
import { histogram } from "../../src/ui/histogram";
import { recentChanges } from "../../src/ui/recent-changes";
import { ReviewQueue } from "../../src/ui/review-queue";
import { archival, farewells, reviewQueue, standing } from "../../src/ui/standing";
import { DAY, memoryNote, NOW } from "../notes_of";

function change(verb: Verb, memoryId: string, at: number, undone = false): Change {
  return { id: `${verb}${memoryId}`, at, verb, memoryId, title: memoryId, from: "a", to: "b", set: {}, undone };
}

test("every score has its bin, and bins change colour at the thresholds", () => {
  const notes = [0, 5, 10, 20, 40, 400].map((idleDays) => memoryNote(`n${idleDays}`, { idleDays, usage: { useCount: 3 } }));
  const bins = histogram(notes.map((note) => standing(note, DEFAULT_POLICY, NOW)), DEFAULT_POLICY);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(bins.map(({ state }) => state)).toEqual([
    ...new Array<string>(12).fill("fading"),
    ...new Array<string>(8).fill("due"),
    ...new Array<string>(16).fill("fresh"),
  ]);
});

test("the review holds what fades or is due, the first to fade first", () => {
  const notes = [
    memoryNote("fresh", { idleDays: 1 }),
    memoryNote("due", { idleDays: 10 }),
    memoryNote("fading", { idleDays: 40 }),
    memoryNote("pinned", { idleDays: 40, usage: { pinned: true } }),
    memoryNote("long", { idleDays: 40, path: "Memories/Long-term/long.md" }),
  ];
  expect(reviewQueue(notes, DEFAULT_POLICY, NOW).map(({ note }) => note.memory.title)).toEqual(["fading", "due"]);
});

test("a review goes on and back", () => {
  const queue = new ReviewQueue([["a"], ["b"]]);
  queue.decide("keep", null);
  expect([queue.current, queue.done]).toEqual([["b"], 1]);
  queue.back();
  queue.back();
  expect([queue.current, queue.last]).toEqual([["a"], null]);
  queue.decide("skip", null);
  queue.decide("let go", null);
  queue.decide("keep", null);
  expect([queue.current, queue.count("skip"), queue.count("keep")]).toEqual([null, 1, 0]);
});

test("recent changes are the plugin's own, and what the notes tell of others", () => {
  const notes = [
    memoryNote("by_server", { path: "Memories/Long-term/by_server.md", usage: { promoted: NOW - 2 * DAY } }),
    memoryNote("by_me", { path: "Memories/Long-term/by_me.md", usage: { promoted: NOW - DAY } }),
    memoryNote("faded", { path: "Memories/Archive/2026/faded.md", idleDays: 52, modified: NOW }),
    memoryNote("long_ago", { path: "Memories/Archive/2026/long_ago.md", idleDays: 90, modified: NOW }),
  ];
  const own = [change("used", "x", NOW - 50), change("promoted", "by_me", NOW - DAY), change("restored", "y", NOW - 5, true)];
  const rows = recentChanges(own, notes, DEFAULT_POLICY, NOW);
  expect(rows.map(({ title, what }) => `${title} ${what}`)).toEqual([
    "y restoring undone",
    "by_me promoted",
    "by_server promoted",
    "faded faded",
  ]);
  expect(rows.map(({ change: mine, note }) => [mine !== null, note !== null])).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, true],
  ]);
});

test("what others were merged from is told apart", () => {
  const notes = [
    memoryNote("Sum", { path: "Memories/Long-term/Sum.md", mergedFrom: ["Part one"] }),
    memoryNote("Part one", { path: "Memories/Archive/2026/Part one.md", idleDays: 5, modified: NOW - DAY }),
  ];
  const [item] = notes.slice(1).map((note) => standing(note, DEFAULT_POLICY, NOW));
  if (!item) throw new Error("no item");
  expect(archival(item, farewells(notes, []), NOW)).toEqual({ how: "merged", at: null });
});

test("the times of files say nothing: a vault that was just copied let go of nothing today", () => {
  const notes = [5, 90, 300].map((idleDays) =>
    memoryNote(`n${idleDays}`, { path: `Memories/Archive/2026/n${idleDays}.md`, idleDays, modified: NOW }),
  );
  expect(recentChanges([], notes, DEFAULT_POLICY, NOW)).toEqual([]);
  const own = [change("let go", "n5", NOW - DAY)];
  expect(recentChanges(own, notes, DEFAULT_POLICY, NOW).map(({ title, at }) => [title, at])).toEqual([["n5", NOW - DAY]]);
});
