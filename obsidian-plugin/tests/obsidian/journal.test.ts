import { App } from "obsidian-test-mocks/obsidian";
import { expect, test, vi } from "vitest";
import { deviceStore } from "../../src/obsidian/device-store";
import { Journal, type Change } from "../../src/obsidian/journal";
import { Desk } from "../../src/ui/desk";
import { NOW } from "../notes_of";

const CHANGE: Change = {
  id: "c1",
  at: Date.now(),
  verb: "used",
  memoryId: "a",
  title: "A",
  from: "A.md",
  to: "A.md",
  set: { use_count: [1, 2], tags: [null, ["x"]] },
  undone: false,
};

test.each([
  { ...CHANGE, verb: "burned" },
  { ...CHANGE, at: Number.NaN },
  { ...CHANGE, undone: "no" },
  { ...CHANGE, set: { use_count: [1] } },
  { ...CHANGE, set: { use_count: [{ a: 1 }, 2] } },
  { ...CHANGE, set: { use_count: "1" } },
  { ...CHANGE, to: 5 },
  null,
  "change",
])("%j is no change, and what is one stays", (odd) => {
  const journal = new Journal(() => undefined);
  journal.restore([odd, CHANGE], NOW);
  expect(journal.all()).toEqual([CHANGE]);
});

test("preferences of another device stay, and the journal is not among them", async () => {
  const app = App.createConfigured__({ files: {} }).asOriginalType__();
  let data: unknown = { preferences: { showLine: false }, changes: [CHANGE] };
  const store = { load: () => Promise.resolve(data), save: (value: unknown) => Promise.resolve(void (data = value)) };
  const desk = new Desk(app, store);
  await desk.load();
  expect(desk.journal.all()).toEqual([CHANGE]);
  // meanwhile another device turned this off, an older version kept changes, and a newer one what we do not know
  data = { preferences: { showLine: false, showStatus: false, newer: 1 }, changes: [CHANGE], later: true };
  await desk.savePreferences({ readingIsUse: true });
  expect(data).toEqual({ preferences: { showLine: false, showStatus: false, newer: 1, hideBookkeeping: false, readingIsUse: true, reviewCap: 7 }, later: true });
  expect(deviceStore(app).load("changes")).toEqual([CHANGE]);
  expect(desk.preferences.showStatus).toBe(false);
});

test("a change is kept on this device alone", async () => {
  const app = App.createConfigured__({ files: {} }).asOriginalType__();
  const save = vi.fn(() => Promise.resolve());
  const desk = new Desk(app, { load: () => Promise.resolve({}), save });
  await desk.load();
  await desk.remember({ content: "Tea is at four.", title: "Tea" });
  expect(deviceStore(app).load("changes")).toMatchObject([{ verb: "remembered", title: "Tea" }]);
  expect(save).not.toHaveBeenCalled();
});
