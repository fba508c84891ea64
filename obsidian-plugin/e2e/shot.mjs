// Takes pictures of one view: node e2e/shot.mjs COMMAND VAULT [FOLDER]; for looking, in light and dark, wide and narrow.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { NOW, settle } from "./pictures.mjs";
import * as vaults from "./vaults.mjs";

const [command, which = "learntVault", folder = fileURLToPath(new URL("out/", import.meta.url))] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
await withBrowser(async (open) => {
  for (const [theme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
    const phone = width === 390;
    const { page, close } = await open({ vault: vaults[which](NOW), now: NOW, theme, size: [width, 780], phone, body: phone ? "no-side" : "" });
    await page.evaluate(() => shell.plugin.desk.openPanel());
    await page.evaluate((id) => shell.command(id), command);
    await settle(page);
    await settle(page);
    await page.evaluate(() => document.querySelector(".mod-root .mnemex-list")?.focus());
    await settle(page);
    await page.screenshot({ path: join(folder, `${command}-${theme}-${width}.png`) });
    await close();
  }
});
