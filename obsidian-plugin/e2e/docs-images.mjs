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

// of two memories nobody has said yet which holds; the server asks it in its note
const moved = "Memories/Short-term/Tomás starts at the Charité in January.md";
vault.files[moved] = vault.files[moved].replace(/supersedes:\n.*\n/, "");
const [newer, older] = [moved, "Memories/Short-term/Tomás works at the hospital in Friedrichshain.md"].map((path) => /memory_id: (\w+)/.exec(vault.files[path])[1]);
vault.files["Memories/Review.md"] = `---\nmnemex: review\n---\n%%mnemex:supersede:${newer}+${older}%% %%mnemex:supersede:${older}+${newer}%%\n`;

// what an assistant did on the last days is new
vault.device = { "mnemex-vault-last-look": { at: NOW - 2 * 86_400_000, since: NOW - 2 * 86_400_000, seen: [] } };

function shooter(page, ending) {
  return async (name) => {
    await settle(page);
    await settle(page);
    await page.mouse.move(500, 700);
    await page.screenshot({ path: join(FOLDER, `plugin-${name}-${ending}.png`) });
  };
}

const open = (page, command) => page.evaluate((id) => shell.command(id), command);

await withBrowser(async (window) => {
  for (const theme of ["light", "dark"]) {
    const { page, close } = await window({ vault, now: NOW, theme, size: [1200, 760] });
    const shot = shooter(page, theme);
    await page.evaluate(() => shell.plugin.desk.openPanel());
    await open(page, "open-learnt");
    await page.focus(".mod-root .mnemex-list");
    await shot("learnt");
    await open(page, "open-profile");
    await shot("profile");
    await page.evaluate(async () => {
      await shell.openPath("Memories/Short-term/Prefers TypeScript over JavaScript.md");
      await shell.plugin.desk.savePreferences({ hideBookkeeping: true });
    });
    await shot("note");
    await page.evaluate(() => shell.openPath("Projects/Kiezkarte/Kiezkarte.md"));
    await shot("why");
    await open(page, "open-dashboard");
    await shot("dashboard");
    await open(page, "review");
    await shot("review");
    await close();
  }
  const kinds = [
    ["phone", { size: [390, 780], phone: true, body: "no-side" }, async () => undefined],
    ["colourblind", { size: [1200, 760] }, (page) => page.emulateVisionDeficiency("deuteranopia")],
    ["rtl", { size: [1200, 760] }, (page) => page.evaluate(() => {
      document.documentElement.dir = "rtl";
      document.body.classList.add("mod-rtl");
    })],
  ];
  for (const [ending, options, prepare] of kinds) {
    const { page, close } = await window({ vault, now: NOW, theme: "light", ...options });
    await prepare(page);
    const shot = shooter(page, ending);
    await page.evaluate(() => shell.plugin.desk.openPanel());
    await open(page, "open-learnt");
    await shot("learnt");
    await open(page, "open-dashboard");
    await shot("dashboard");
    if (ending === "phone") {
      await open(page, "review");
      await shot("review");
      await page.evaluate(() => {
        document.body.classList.replace("no-side", "only-side");
        shell.app.workspace.leaves.find((leaf) => leaf.side).view.onResize();
      });
      await shot("panel");
    }
    await close();
  }
});
