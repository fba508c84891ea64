// Takes the pictures of the documentation from the sample vault: node e2e/docs-images.mjs
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { settle } from "./pictures.mjs";
import { readVault } from "./vaults.mjs";

const NOW = Date.UTC(2026, 10, 30, 8, 12);
const SAMPLE = fileURLToPath(new URL("../../sample-vault/", import.meta.url));
const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));

const vault = await readVault(SAMPLE);
// the files' own times say when they were checked out, not when they were archived
const archived = Object.keys(vault.files).filter((path) => path.includes("/Archive/"));
vault.stats = Object.fromEntries(archived.map((path, index) => [path, NOW - (1.2 + index * 2.1) * 86_400_000]));
await mkdir(FOLDER, { recursive: true });

await withBrowser(async (open) => {
  for (const theme of ["light", "dark"]) {
    const { page, close } = await open({ vault, now: NOW, theme, size: [1200, 760] });
    const shot = async (name) => {
      await settle(page);
      await page.mouse.move(500, 700);
      await page.screenshot({ path: join(FOLDER, `plugin-${name}-${theme}.png`) });
    };
    await page.evaluate(async () => {
      await shell.plugin.desk.openPanel();
      await shell.openPath("Memories/Short-term/Prefers TypeScript over JavaScript.md");
      await shell.plugin.desk.savePreferences({ hideBookkeeping: true });
    });
    await shot("note");
    await page.evaluate(() => shell.openPath("Projects/Kiezkarte/Kiezkarte.md"));
    await page.evaluate(() => shell.plugin.desk.openDashboard());
    await shot("dashboard");
    await page.evaluate(() => shell.plugin.desk.openReview());
    await shot("review");
    await close();
  }
  const { page, close } = await open({ vault, now: NOW, theme: "light", size: [380, 720], phone: true, body: "only-side" });
  await page.evaluate(() => shell.plugin.desk.openPanel());
  await settle(page);
  await page.screenshot({ path: join(FOLDER, "plugin-phone-light.png") });
  await close();
});
