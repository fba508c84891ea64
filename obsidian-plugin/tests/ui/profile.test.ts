import { expect, test } from "vitest";
import type { MemoryNote } from "../../src/obsidian/memory-cache";
import { replacedIds } from "../../src/obsidian/versions";
import { withBlock } from "../../src/obsidian/profile-note";
import { profile } from "../../src/ui/profile-model";
import { memoryNote } from "../notes_of";

const KINDS: Readonly<Record<string, "person" | "place">> = { "Zoë": "person", Berlin: "place" };

function shape(notes: readonly MemoryNote[], stays: readonly MemoryNote[] = []): string[] {
  const replaced = replacedIds(notes, (target) => notes.find(({ memory }) => memory.title === target) ?? null);
  const measures = {
    kindOf: (name: string) => KINDS[name] ?? null,
    worth: (note: MemoryNote) => note.memory.usage.useCount,
    holds: (note: MemoryNote) => !replaced.has(note.memory.id),
    stays: (note: MemoryNote) => stays.includes(note),
  };
  return profile(notes, measures).flatMap(({ label, subjects }) =>
    subjects.map(({ name, notes: facts }) => `${label}/${name}: ${facts.map(({ memory }) => memory.title).join(", ")}`),
  );
}

function inProject(title: string, project: string): MemoryNote {
  const note = memoryNote(title, { entities: [project] });
  return { ...note, memory: { ...note.memory, project } };
}

test("what is known stands by preference, project, person, place and other names, the pinned and strongest first", () => {
  const notes = [
    memoryNote("Short answers", { tags: ["preferences"] }),
    memoryNote("Vegetarian", { tags: ["food/preference"], usage: { pinned: true } }),
    memoryNote("Allergic", { usage: { kind: "safety" } }),
    memoryNote("Tea", { entities: ["Zoë", "Berlin"] }),
    memoryNote("Birthday", { entities: ["People/Zoë"], usage: { useCount: 5 } }),
    memoryNote("Tiles", { entities: ["MapLibre"], tags: ["project/Kiezkarte"] }),
    inProject("Deadline", "kiezkarte"),
    memoryNote("Nothing of a kind"),
  ];
  expect(shape(notes)).toEqual([
    "Preferences/: Vegetarian, Short answers, Allergic",
    "Projects/Kiezkarte: Tiles, Deadline",
    "People/Zoë: Birthday, Tea",
    "Places/Berlin: Tea",
    "Other names/MapLibre: Tiles",
  ]);
});

test("what is archived or replaced is not known any more, unless its undo is offered there", () => {
  const gone = memoryNote("Gone", { path: "Memories/Archive/2026/Gone.md", tags: ["preference"] });
  const old = memoryNote("Old", { tags: ["preference"] });
  const fresh = memoryNote("New", { tags: ["preference"] });
  const successor = { ...fresh, memory: { ...fresh.memory, relations: [{ type: "supersedes" as const, target: "Old" }] } };
  expect(shape([gone, old, successor])).toEqual(["Preferences/: New"]);
  expect(shape([gone, old, successor], [gone])).toEqual(["Preferences/: Gone, New"]);
});

test.each([
  ["---\nmnemex: profile\n---\n%%mnemex:profile%%\nold\n%%mnemex:end%%\nMine.\n", "---\nmnemex: profile\n---\nNEW\nMine.\n"],
  ["Above\n%%mnemex:profile%%\nold\n", "Above\n%%mnemex:profile%%\nold\n\nNEW\n"],
  ["", "\n\nNEW\n"],
])("in %j only what stands between the marks is replaced", (text, expected) => {
  expect(withBlock(text, "NEW")).toBe(expected);
});
