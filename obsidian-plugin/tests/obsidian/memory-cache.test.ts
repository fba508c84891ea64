import { expect, test, vi } from "vitest";
import { App } from "obsidian-test-mocks/obsidian";
import { deviceStore } from "../../src/obsidian/device-store";
import { MemoryCache } from "../../src/obsidian/memory-cache";
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

// a busy machine is slow and not wrong
const PATIENCE = 30_000;
const SETTINGS = "Memories/Settings.md";
const OWN_FOLDERS = "---\nmnemex: settings\npreset: research\nshort_term_folder: Brain/S\narchive_folder: Brain/Gone\n---\n";
const HALF_TYPED = OWN_FOLDERS.replace("research", "[bal");

async function vaultInDoubt(): Promise<ReturnType<typeof openVault>> {
  const vault = openVault({ [SETTINGS]: OWN_FOLDERS, "Brain/S/A.md": noteText(), "Brain/Gone/B.md": noteText({ memory_id: "b" }) });
  await vault.write(SETTINGS, HALF_TYPED);
  await vi.waitFor(() => expect(vault.cache.doubt).toMatch(/sequence/), PATIENCE);
  return vault;
}

test("while a settings note is half typed, what it said last holds", async () => {
  const vault = await vaultInDoubt();
  expect(vault.cache.settings.policy.curve).toMatchObject({ halfLifeDays: 14 });
  expect(vault.note("Brain/S/A.md").tier).toBe("short-term");
  expect(vault.cache.settingsPath).toBe(SETTINGS);
  await vault.write(SETTINGS, OWN_FOLDERS.replace("research", "tidy"));
  expect([vault.cache.doubt, vault.cache.settings.policy.forgetThreshold]).toEqual([null, 0.08]);
});

test("while it is in doubt no note is moved or made, and a use still counts", async () => {
  const vault = await vaultInDoubt();
  const before = vault.paths();
  const [a, b] = [vault.note("Brain/S/A.md"), vault.note("Brain/Gone/B.md")];
  const refused = /Mend the settings note first/;
  await expect(vault.actions.archive(a)).rejects.toThrow(refused);
  await expect(vault.actions.promote(a)).rejects.toThrow(refused);
  await expect(vault.actions.restore(b)).rejects.toThrow(refused);
  await expect(vault.actions.remember({ content: "x", title: "x" })).rejects.toThrow(refused);
  expect(vault.paths()).toEqual(before);
  await vault.actions.use(a);
  expect(await vault.text("Brain/S/A.md")).toContain("use_count: 2");
});

test("a value that cannot be used leaves the last good one, and only that", async () => {
  const vault = openVault({ [SETTINGS]: OWN_FOLDERS });
  await vault.write(SETTINGS, OWN_FOLDERS.replace("research", "res\ndecay_beta: 0.9").replace("Brain/Gone", ".gone"));
  const { policy, layout, problems } = vault.cache.settings;
  expect(problems).toHaveLength(2);
  expect(policy).toMatchObject({ useExponent: 0.9, promoteThreshold: 0.6, curve: { halfLifeDays: 14 } });
  expect(layout.archive).toBe("Brain/Gone");
  expect(vault.cache.doubt).toMatch(/archive_folder/);
});

test("after a restart a settings note that cannot be read still says what it said last", async () => {
  const vault = await vaultInDoubt();
  const again = new MemoryCache(vault.app, deviceStore(vault.app));
  again.load();
  App.fromOriginalType__(vault.app).workspace.setLayoutReady__();
  expect(again.settings.layout.shortTerm).toBe("Brain/S");
  expect(again.doubt).not.toBeNull();
});

test("a settings note that became an ordinary note, or is gone, leaves the defaults", async () => {
  const vault = openVault({ [SETTINGS]: OWN_FOLDERS });
  await vault.write(SETTINGS, "Just text.\n");
  await vi.waitFor(() => expect(vault.cache.doubt).toBeNull(), PATIENCE);
  expect([vault.cache.settingsPath, vault.cache.settings.layout.shortTerm]).toEqual([null, "Memories/Short-term"]);
});
