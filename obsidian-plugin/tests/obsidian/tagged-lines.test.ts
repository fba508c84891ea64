import { expect, test } from "vitest";
import { NoteFiles } from "../../src/obsidian/note-files";
import { hasTaggedLines, rememberTagged } from "../../src/obsidian/tagged-lines";
import { openVault } from "./vault";

const DAY = "2026-11-30.md";

test("tagged lines become memories once, and the note links to them", async () => {
  const vault = openVault({ [DAY]: "# Monday\n\n- Zoë likes tea #remember\n- Nothing\n\n```\n#remember code\n```\n" });
  const file = vault.app.vault.getFileByPath(DAY);
  if (!file) throw new Error("no daily note");
  const tags = [{ tag: "#remember", position: { start: { line: 2, col: 16, offset: 0 }, end: { line: 2, col: 25, offset: 0 } } }];
  vault.app.metadataCache.getFileCache = () => ({ tags });
  expect(hasTaggedLines(vault.app, file)).toBe(true);
  const files = new NoteFiles(vault.app);
  const remember = (): Promise<number> => rememberTagged(vault.app, files, file, (text) => vault.actions.remember(text));
  expect(await remember()).toBe(1);
  const memory = await vault.text("Memories/Short-term/Zoë likes tea.md");
  expect(memory).toMatch(/source: "\[\[2026-11-30\]\]"/);
  expect(memory).toMatch(/\nZoë likes tea\n$/);
  expect(await vault.text(DAY)).toContain("- Zoë likes tea [[");
  expect(await remember()).toBe(0);
});
