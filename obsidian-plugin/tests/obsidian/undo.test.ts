import { expect, test } from "vitest";
import type { MemoryActions } from "../../src/obsidian/memory-actions";
import type { MemoryNote } from "../../src/obsidian/memory-cache";
import type { Change } from "../../src/obsidian/journal";
import { ChangeRefused } from "../../src/obsidian/note-files";
import { NOW, noteText } from "../notes_of";
import { openVault, type TestVault } from "./vault";

const A = "Memories/Short-term/A.md";

type Act = (actions: MemoryActions, note: MemoryNote) => Promise<Change>;

const ACTS: readonly (readonly [string, Act])[] = [
  ["use", (actions, note) => actions.use(note)],
  ["strengthen", (actions, note) => actions.strengthen(note)],
  ["keep", (actions, note) => actions.keep(note)],
  ["pin", (actions, note) => actions.pin(note, true)],
  ["promote", (actions, note) => actions.promote(note)],
  ["let go", (actions, note) => actions.archive(note)],
  ["not true any more", (actions, note) => actions.outdate(note)],
  ["a change of the text", (actions, note) => actions.edit(note, "Body.\n", "Other.\n")],
];

async function state(vault: TestVault): Promise<Record<string, string>> {
  const texts = await Promise.all(vault.paths().map(async (path) => [path, await vault.text(path)] as const));
  return Object.fromEntries(texts);
}

test.each(ACTS)("undoing %s gives back path and bytes, and redoing makes the same again", async (_name, act) => {
  const vault = openVault({ [A]: noteText() });
  const before = await state(vault);
  const change = await act(vault.actions, vault.note(A));
  const after = await state(vault);
  await vault.undo.undo(change);
  expect(await state(vault)).toEqual(before);
  expect(vault.journal.last()).toBeNull();
  await vault.undo.redo(change);
  expect(await state(vault)).toEqual(after);
});

test.each(ACTS)("%s is undone after a restart from what was kept", async (_name, act) => {
  const first = openVault({ [A]: noteText() });
  const before = await state(first);
  await act(first.actions, first.note(A));
  const later = openVault(await state(first));
  later.journal.restore(JSON.parse(JSON.stringify(first.stored())), NOW);
  const change = later.journal.last();
  if (!change) throw new Error("nothing was kept");
  await later.undo.undo(change);
  expect(Object.keys(await state(later))).toEqual(Object.keys(before));
  const lines = (text: string | undefined): string[] => (text ?? "").split("\n").sort();
  expect(lines((await state(later))[A])).toEqual(lines(before[A]));
});

test("what a person wrote since is kept, and only the properties are taken back", async () => {
  const vault = openVault({ [A]: noteText() });
  const change = await vault.actions.use(vault.note(A));
  const text = await vault.text(A);
  await vault.write(A, text.replace("Body.", "Body, and more."));
  await vault.undo.undo(change);
  expect(await vault.text(A)).toBe(noteText().replace("Body.", "Body, and more."));
});

test("undo refuses where the same properties were changed since", async () => {
  const vault = openVault({ [A]: noteText() });
  const first = await vault.actions.use(vault.note(A));
  await vault.actions.use(vault.note(A));
  const now = await vault.text(A);
  await expect(vault.undo.undo(first)).rejects.toThrow(ChangeRefused);
  expect(await vault.text(A)).toBe(now);
});

test("undo refuses where something took the old place", async () => {
  const vault = openVault({ [A]: noteText() });
  const change = await vault.actions.promote(vault.note(A));
  await vault.app.vault.create(A, "new\n");
  await expect(vault.undo.undo(change)).rejects.toThrow(ChangeRefused);
  expect(await vault.text("Memories/Long-term/A.md")).toContain("promoted");
});

test("a new memory is undone into the trash, unless it was edited", async () => {
  const vault = openVault({});
  const change = await vault.actions.remember({ content: "Text", title: "Title" });
  await vault.write(change.to, "edited");
  await expect(vault.undo.undo(change)).rejects.toThrow(ChangeRefused);
  const other = await vault.actions.remember({ content: "Text", title: "Other" });
  await vault.undo.undo(other);
  expect(vault.paths()).not.toContain(other.to);
  await vault.undo.redo(other);
  expect(vault.paths()).toContain(other.to);
});

test("an adopted note is an ordinary note again", async () => {
  const vault = openVault({ "Projects/Plan.md": "Text\n" });
  const change = await vault.actions.adopt("Projects/Plan.md", "Plan");
  await vault.undo.undo(change);
  expect(await vault.text("Projects/Plan.md")).toBe("Text\n");
});

test("what is kept is small, and nonsense in it is dropped", async () => {
  const vault = openVault({ [A]: noteText() });
  for (let index = 0; index < 120; index++) await vault.actions.use(vault.note(A));
  expect(vault.stored()).toHaveLength(100);
  expect(JSON.stringify(vault.stored()).length).toBeLessThan(50_000);
  vault.journal.restore([{ id: 1 }, null, "x", ...vault.stored().slice(0, 1)], NOW);
  expect(vault.journal.all()).toHaveLength(1);
});
