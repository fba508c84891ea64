import { expect, test } from "vitest";
import { lastSignOfLife, setupCommands } from "../../src/ui/setup-modal";
import { DAY, memoryNote, NOW } from "../notes_of";

test.each([
  ["/home/zoe/Notes", false, "mnemex init /home/zoe/Notes"],
  ["/home/zoe/My notes", false, "mnemex init '/home/zoe/My notes'"],
  ["/home/zoe/Zoe's $HOME", false, "mnemex init '/home/zoe/Zoe'\\''s $HOME'"],
  ["C:\\Users\\Zoe's", true, "mnemex init 'C:\\Users\\Zoe''s'"],
])("the command for %j names that folder", (folder, windows, command) => {
  expect(setupCommands(folder, windows)[1]).toBe(command);
});

test("the last sign of life is the newest save or use by an assistant", () => {
  expect(lastSignOfLife([])).toBeNull();
  const own = memoryNote("own", { idleDays: 1 });
  const notes = [memoryNote("a", { idleDays: 9 }), memoryNote("b", { idleDays: 2 }), { ...own, memory: { ...own.memory, origin: null } }];
  expect(lastSignOfLife(notes)).toBe(NOW - 2 * DAY);
});
