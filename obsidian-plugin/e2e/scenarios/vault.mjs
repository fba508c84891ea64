import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actOn } from "../act.mjs";
import { readVault } from "../vaults.mjs";
import { property, scenario, texts } from "./steps.mjs";

const SAMPLE = fileURLToPath(new URL("../../../sample-vault/", import.meta.url));
const SAMPLE_NOW = Date.UTC(2026, 10, 30, 8, 0);

function count(files, folder) {
  const memories = Object.keys(files).filter((path) => path.startsWith(folder) && /^memory_id:/m.test(files[path]));
  return memories.length;
}

export const vaultScenarios = {
  "the sample vault is read as it lies there": async (open) => {
    const vault = await readVault(SAMPLE);
    const counts = ["Memories/Short-term/", "Memories/Long-term/", "Memories/Archive/"].map((folder) => count(vault.files, folder));
    await scenario(
      async (page) => {
        assert.deepEqual(
          await page.evaluate(() => ["short-term", "long-term", "archived"].map((tier) => shell.plugin.desk.cache.all().filter((note) => note.tier === tier && note.path.startsWith("Memories/")).length)),
          counts,
        );
        assert.ok((await texts(page, ".mnemex-row")).length > 5);
        const projections = await page.evaluate(() =>
          shell.plugin.desk.cache.all().filter((note) => note.properties.fades_on).map((note) => [note.path, note.properties.fades_on]),
        );
        assert.ok(projections.length > 5);
      },
      { vault, now: SAMPLE_NOW },
    )(open);
  },

  "what the plugin writes to a vault on disk changes only its own lines": async (open) => {
    const folder = await mkdtemp(join(tmpdir(), "mnemex-vault-"));
    try {
      await cp(SAMPLE, folder, { recursive: true });
      const before = await readVault(folder);
      const report = await actOn(open, folder, [["use", "k7q2x4dhw9"], ["promote", "hencfz7v4n"]], SAMPLE_NOW);
      const after = await readVault(folder);
      const used = "Memories/Short-term/Prefers TypeScript over JavaScript.md";
      assert.equal(property(after.files[used], "use_count"), "2");
      const kept = (text) => text.split("\n").filter((line) => !/^(use_count|last_used|days_used|fades_on|promoted):/.test(line));
      assert.deepEqual(kept(after.files[used]), kept(before.files[used]));
      const [short, long] = ["Short-term", "Long-term"].map((tier) => `Memories/${tier}/ゆきさんとのレッスンは火曜日.md`);
      assert.ok(!(short in after.files));
      assert.deepEqual(kept(after.files[long]), kept(before.files[short]));
      const others = Object.keys(before.files).filter((path) => path !== used && path !== short);
      for (const path of others) assert.equal(after.files[path], before.files[path]);
      assert.deepEqual(report.map(({ memory_id: id, tier }) => [id, tier]), [["k7q2x4dhw9", "short-term"], ["hencfz7v4n", "long-term"]]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
