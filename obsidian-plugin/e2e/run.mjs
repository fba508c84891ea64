// End to end: the built main.js in Chromium, with real clicks and keys. node e2e/run.mjs [--no-pictures]
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { pictures } from "./pictures.mjs";
import { captureScenarios } from "./scenarios/capture.mjs";
import { dashboardScenarios } from "./scenarios/dashboard.mjs";
import { fittingScenarios } from "./scenarios/fitting.mjs";
import { learntScenarios } from "./scenarios/learnt.mjs";
import { noteScenarios } from "./scenarios/note.mjs";
import { panelScenarios } from "./scenarios/panel.mjs";
import { profileScenarios } from "./scenarios/profile.mjs";
import { reviewScenarios } from "./scenarios/review.mjs";
import { vaultScenarios } from "./scenarios/vault.mjs";

const scenarios = { ...learntScenarios, ...profileScenarios, ...captureScenarios, ...panelScenarios, ...reviewScenarios, ...dashboardScenarios, ...noteScenarios, ...vaultScenarios, ...fittingScenarios };
const only = process.argv[2]?.startsWith("--") ? undefined : process.argv[2];
let failed = 0;

await withBrowser(async (open) => {
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (only && !name.includes(only)) continue;
    try {
      await scenario(open);
      process.stdout.write(`ok   ${name}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`FAIL ${name}\n     ${String(error.stack).split("\n").join("\n     ")}\n`);
    }
  }
  if (!only && !process.argv.includes("--no-pictures")) {
    const folder = fileURLToPath(new URL("out/", import.meta.url));
    await mkdir(folder, { recursive: true });
    await pictures(open, folder);
    process.stdout.write("ok   pictures of every view, light and dark, desktop and phone\n");
  }
});
process.stdout.write(failed === 0 ? "all end-to-end scenarios passed\n" : `${failed} scenarios failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
