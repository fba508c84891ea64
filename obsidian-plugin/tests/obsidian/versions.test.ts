import { expect, test } from "vitest";
import type { RelationType } from "../../src/domain/memory";
import type { MemoryNote } from "../../src/obsidian/memory-cache";
import { openConflicts, replacedIds } from "../../src/obsidian/versions";
import { DAY, memoryNote, NOW, noteText } from "../notes_of";
import { vectors } from "../vectors";
import { openVault } from "./vault";

const KINDS = ["contradicts", "supersedes", "both_true"] as const;

/** What a memory says: days as numbers, other memories by name. */
type Said = Readonly<Partial<Record<RelationType, readonly string[]>>> & { readonly day: number; readonly true?: number; readonly archived?: boolean };

interface Case {
  readonly name: string;
  readonly notes: Readonly<Record<string, Said>>;
  readonly open: readonly (readonly [string, string])[];
  readonly replaced: readonly string[];
}

function noteOf(name: string, said: Said): MemoryNote {
  const created = NOW + (said.day - 50) * DAY;
  const folder = said.archived === true ? "Archive/2026" : "Short-term";
  const note = memoryNote(name, { path: `Memories/${folder}/${name}.md`, usage: { created } });
  const relations = KINDS.flatMap((type) => (said[type] ?? []).map((target) => ({ type, target })));
  const validFrom = said.true === undefined ? null : NOW + (said.true - 50) * DAY;
  return { ...note, memory: { ...note.memory, relations, validFrom } };
}

test.each(vectors<Case[]>("versions.json"))("$name: what replaces what and what is open is as the server has it", ({ notes, open, replaced }) => {
  const all = Object.entries(notes).map(([name, said]) => noteOf(name, said));
  const resolve = (target: string): MemoryNote | null => all.find(({ memory }) => memory.title === target) ?? null;
  const pairs = openConflicts(all, [], resolve).map(({ newer, older }) => [newer.memory.title, older.memory.title]);
  expect(pairs.sort()).toEqual(open);
  expect([...replacedIds(all, resolve)].sort()).toEqual(replaced);
});

test("what is replaced is known to the cache until the other goes", async () => {
  const path = "Memories/Short-term/New.md";
  const vault = openVault({ "Memories/Short-term/Old.md": noteText({ memory_id: "a" }), [path]: noteText({ memory_id: "b", supersedes: '"[[Old]]"' }) });
  const present = (): string[] => vault.cache.present().map(({ memory }) => memory.title).sort();
  expect(present()).toEqual(["New"]);
  await vault.write(path, noteText({ memory_id: "b" }));
  expect(present()).toEqual(["New", "Old"]);
});
