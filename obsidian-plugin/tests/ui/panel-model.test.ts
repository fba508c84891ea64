import { expect, test } from "vitest";
import { panelModel, tagCounts, type PanelQuery } from "../../src/ui/panel-model";
import { DAY, memoryNote, NOW, SETTINGS, WORDS } from "../notes_of";

const QUERY: PanelQuery = { tier: "short-term", search: "", tag: null, sort: "days", collapsed: new Set() };
const NOTES = [
  memoryNote("Fresh", { tags: ["work/aurora"], idleDays: 1 }),
  memoryNote("Due later", { idleDays: 10 }),
  memoryNote("Due sooner", { idleDays: 14 }),
  memoryNote("Fading", { idleDays: 40 }),
  memoryNote("Gone", { idleDays: 400 }),
  memoryNote("Pinned", { idleDays: 400, usage: { pinned: true } }),
  memoryNote("Long", { path: "Memories/Long-term/Long.md", tags: ["work"], usage: { promoted: NOW - 3 * DAY } }),
  memoryNote("Faded", { path: "Memories/Archive/2026/Faded.md", idleDays: 60, modified: NOW - 2 * DAY }),
  memoryNote("Let go", { path: "Memories/Archive/2026/Let go.md", idleDays: 30, modified: NOW - 29 * DAY }),
  memoryNote("Old", { path: "Memories/Archive/2020/Old.md", idleDays: 900, modified: NOW - 800 * DAY }),
];

function lines(query: Partial<PanelQuery> = {}, related = NOTES.slice(0, 0), body = ""): string[] {
  const about = related.map((note) => ({ note, why: "links here" }));
  const source = { notes: NOTES, related: about, settings: SETTINGS, words: WORDS, changes: [], bodyOf: () => body };
  const model = panelModel(source, { ...QUERY, ...query }, NOW);
  return model.lines.map((line) =>
    line.kind === "group" ? `${line.label} ${line.count}` : `  ${line.item.note.memory.title}: ${model.when(line.item)}`,
  );
}

test("short-term memories stand in groups by state, the first to fade first", () => {
  expect(lines()).toEqual([
    "Fading 2",
    "  Gone: fades today",
    "  Fading: fades in 9 days",
    "Due for review 2",
    "  Due sooner: fades in 35 days",
    "  Due later: fades in 39 days",
    "Fresh 1",
    "  Fresh: fades in 48 days",
    "Pinned 1",
    "  Pinned: pinned",
  ]);
});

test("archived memories stand by month, with how they came there", () => {
  expect(lines({ tier: "archived" })).toEqual([
    "November 1",
    "  Faded: faded 19 Nov",
    "October 1",
    "  Let go: archived, last used 31 Oct",
    "Earlier 1",
    "  Old: faded 1 Aug 2024",
  ]);
});

test("long-term memories say since when", () => {
  expect(lines({ tier: "long-term" })).toEqual(["Permanent 1", "  Long: since 27 Nov"]);
});

test("what is about the open note comes first, unless something is searched", () => {
  expect(lines({}, NOTES.slice(6, 7)).slice(0, 2)).toEqual(["About this note 1", "  Long: since 27 Nov"]);
  expect(lines({ search: "due" }, NOTES.slice(6, 7))[0]).toBe("Due for review 2");
});

test("a collapsed group keeps its head", () => {
  expect(lines({ collapsed: new Set(["fading", "due", "fresh"]) })).toEqual([
    "Fading 2",
    "Due for review 2",
    "Fresh 1",
    "Pinned 1",
    "  Pinned: pinned",
  ]);
});

test("every word must be found, in title, tags or text", () => {
  expect(lines({ search: "SOONER due" })).toEqual(["Due for review 1", "  Due sooner: fades in 35 days"]);
  expect(lines({ search: "#work" })).toEqual(["Fresh 1", "  Fresh: fades in 48 days"]);
  expect(lines({ search: "tag:aurora" })).toEqual([]);
  expect(lines({ search: "berlin sooner" }, [], "in berlin")).toHaveLength(2);
  expect(lines({ search: "nowhere" })).toEqual([]);
});

test("a tag includes those below it, and matches are counted in every tier", () => {
  const source = { notes: NOTES, related: [], settings: SETTINGS, words: WORDS, changes: [], bodyOf: () => "" };
  const model = panelModel(source, { ...QUERY, tag: "work" }, NOW);
  expect(model.matches).toEqual({ "short-term": 1, "long-term": 1, archived: 0 });
  expect(model.counts).toEqual({ "short-term": 6, "long-term": 1, archived: 3 });
});

test.each([
  ["score", ["Gone", "Fading"].reverse()],
  ["title", ["Fading", "Gone"]],
  ["used", ["Fading", "Gone"]],
] as const)("sorted by %s within a group", (sort, titles) => {
  expect(lines({ sort }).slice(1, 3).map((line) => line.trim().split(":")[0])).toEqual(titles);
});

test("tags are counted, the most frequent first", () => {
  const notes = [memoryNote("a", { tags: ["x", "y"] }), memoryNote("b", { tags: ["y"] })];
  expect(tagCounts(notes)).toEqual([
    { tag: "y", count: 2 },
    { tag: "x", count: 1 },
  ]);
});
