import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reading } from "../../src/obsidian/reading";
import { NOW, noteText } from "../notes_of";
import { openVault } from "./vault";

const A = "Memories/Short-term/A.md";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp(properties: Record<string, string>, enabled = true) {
  const vault = openVault({ [A]: noteText(properties) });
  const file = vault.app.vault.getFileByPath(A);
  const use = vi.fn(() => Promise.resolve());
  vault.app.workspace.getActiveFile = () => file;
  const reading = new Reading(vault.app, vault.cache, { enabled: () => enabled, now: () => NOW, use });
  reading.load();
  return { use, reading, open: (other = file) => vault.app.workspace.trigger("file-open", other) };
}

test("a memory that stays open was used", () => {
  const { use, open } = setUp({});
  open();
  vi.advanceTimersByTime(5000);
  expect(use).toHaveBeenCalledTimes(1);
});

test("not if it is left at once, was used today, or the setting is off", () => {
  const left = setUp({});
  left.open();
  vi.advanceTimersByTime(3000);
  left.open(null);
  const today = setUp({ last_used: "2026-11-30T08:00:00" });
  today.open();
  const off = setUp({}, false);
  off.open();
  vi.advanceTimersByTime(60_000);
  for (const { use } of [left, today, off]) expect(use).not.toHaveBeenCalled();
});

test("not after the plugin was unloaded", () => {
  const { use, reading, open } = setUp({});
  open();
  reading.unload();
  vi.advanceTimersByTime(60_000);
  expect(use).not.toHaveBeenCalled();
});
