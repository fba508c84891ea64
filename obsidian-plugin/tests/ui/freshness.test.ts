import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/domain/scoring";
import { freshnessGroups } from "../../src/ui/freshness-view";
import { memoryNote, NOW } from "../notes_of";

test("a base shows memories by state, the most urgent first", () => {
  const notes = [
    memoryNote("Fresh", { idleDays: 1 }),
    memoryNote("Long", { path: "Memories/Long-term/Long.md" }),
    memoryNote("Gone", { path: "Memories/Archive/2026/Gone.md", idleDays: 90 }),
    memoryNote("Pinned", { idleDays: 40, usage: { pinned: true } }),
    memoryNote("Fading later", { idleDays: 30 }),
    memoryNote("Fading soon", { idleDays: 44 }),
    memoryNote("Due", { idleDays: 10 }),
  ];
  const groups = freshnessGroups(notes, DEFAULT_POLICY, NOW).map(({ label, items }) => `${label}: ${items.map(({ note }) => note.memory.title).join(", ")}`);
  expect(groups).toEqual(["Fading: Fading soon, Fading later", "Due for review: Due", "Fresh: Fresh", "Pinned: Pinned", "Long-term: Long", "Archived: Gone"]);
});
