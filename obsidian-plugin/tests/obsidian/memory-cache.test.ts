import { expect, test, vi } from "vitest";
import { noteText } from "../notes_of";
import { openVault } from "./vault";

const titles = (vault: ReturnType<typeof openVault>): string[] => vault.cache.all().map(({ memory }) => memory.title).sort();

test("memories are known by their id, and their tier by their folder", () => {
  const vault = openVault({
    "Memories/Short-term/A.md": noteText({ memory_id: "a" }),
    "Memories/Archive/2026/B.md": noteText({ memory_id: "b" }),
    "Anywhere/C.md": noteText({ memory_id: "c" }),
    "Anywhere/Ordinary.md": "# Text\n",
  });
  expect(vault.cache.all().map(({ memory, tier }) => [memory.id, tier])).toEqual([
    ["a", "short-term"],
    ["b", "archived"],
    ["c", "long-term"],
  ]);
});

test("private, foreign and unreadable notes are left out", () => {
  const vault = openVault({
    "Memories/Short-term/Private.md": noteText({ memory_id: "a", tags: "private/diary" }),
    "Memories/Short-term/Tagged.md": noteText({ memory_id: "b" }, "text #private\n"),
    "Memories/Short-term/Deck.excalidraw.md": noteText({ memory_id: "c" }),
    "Memories/Short-term/Board.md": noteText({ memory_id: "d", "kanban-plugin": "basic" }),
    "Memories/Short-term/Seen.md": noteText({ memory_id: "e" }),
  });
  expect(titles(vault)).toEqual(["Seen"]);
});

test("a conflict copy is not counted twice", () => {
  const vault = openVault({
    "Memories/Short-term/A.sync-conflict-20260101-101010-ABCDEFG.md": noteText({ memory_id: "a" }),
    "Memories/Short-term/A.md": noteText({ memory_id: "a" }),
  });
  expect(titles(vault)).toEqual(["A"]);
});

test("an edit, a move and a removal are noticed, and listeners told once", async () => {
  vi.useFakeTimers();
  const vault = openVault({ "Memories/Short-term/A.md": noteText() });
  vi.runAllTimers();
  const told = vi.fn();
  vault.cache.onChange(told);
  await vault.write("Memories/Short-term/A.md", noteText({ use_count: 9 }));
  expect(vault.note("Memories/Short-term/A.md").memory.usage.useCount).toBe(9);
  const file = vault.app.vault.getFileByPath("Memories/Short-term/A.md");
  if (!file) throw new Error("gone");
  await vault.app.vault.rename(file, "Projects/A.md");
  expect(vault.note("Projects/A.md").tier).toBe("long-term");
  vi.runAllTimers();
  expect(told).toHaveBeenCalledTimes(1);
  await vault.app.fileManager.trashFile(file);
  expect(vault.cache.all()).toEqual([]);
  vi.useRealTimers();
});

test("a change of the settings note holds at once", async () => {
  const vault = openVault({ "Brain/S/A.md": noteText() });
  await vault.write("Memories/Settings.md", "---\nmnemex: settings\nshort_term_folder: Brain/S\ndecay_model: exponential\n---\n");
  expect(vault.note("Brain/S/A.md").tier).toBe("short-term");
  expect(vault.cache.settings.policy.curve.model).toBe("exponential");
});

test("nothing is heard after unloading", async () => {
  const vault = openVault({ "Memories/Short-term/A.md": noteText() });
  vault.cache.unload();
  const before = vault.cache.revision;
  await vault.write("Memories/Short-term/A.md", noteText({ use_count: 9 }));
  expect(vault.cache.revision).toBe(before);
});
