import assert from "node:assert/strict";
import { assertNoOverflow, atBothWidths, noteText, shows, until } from "./steps.mjs";

async function press(page, modifier, key) {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

export const captureScenarios = {
  "a thought, the clipboard, a link and a tagged line become memories": atBothWidths(async (page) => {
    await page.evaluate(() => shell.command("new-memory"));
    await page.keyboard.type("Zoë likes green tea.");
    await assertNoOverflow(page, ".modal");
    await press(page, "Control", "Enter");
    await until(page, async () => "Memories/Short-term/Zoë likes green tea.md" in (await shell.files()));
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: { readText: async () => "Keys hang behind the door." } });
      shell.command("remember-clipboard");
    });
    await until(page, () => document.querySelector(".modal textarea")?.value === "Keys hang behind the door.");
    await press(page, "Control", "Enter");
    await until(page, async () => "Memories/Short-term/Keys hang behind the door.md" in (await shell.files()));
    await page.evaluate(() => shell.plugin.obsidianProtocolHandlers__.get("mnemex-save")({ action: "mnemex-save", text: "Buy ![x](https://example.org/track.png) now.", tags: "shop, list" }));
    await shows(page, ".mnemex-outside", /^A link asks to remember this/);
    await assertNoOverflow(page, ".modal");
    assert.equal(await page.$eval(".modal input", (input) => input.value), "");
    await press(page, "Control", "Enter");
    await until(page, async () => Object.keys(await shell.files()).some((path) => path.includes("Buy")));
    const path = await page.evaluate(async () => Object.keys(await shell.files()).find((it) => it.includes("Buy")));
    const text = await noteText(page, path);
    assert.match(text, /origin: web/);
    assert.match(text, /!\u2060\[x\]/);
    assert.match(text, /tags:\n {2}- shop\n {2}- list/);
    await page.evaluate(async () => {
      await shell.app.vault.create("2026-08-27.md", "- Lunch with Ada on Friday #remember\n");
      const { metadataCache } = shell.app;
      const known = metadataCache.getFileCache.bind(metadataCache);
      const tags = [{ tag: "#remember", position: { start: { line: 0 } } }];
      metadataCache.getFileCache = (file) => (file.path === "2026-08-27.md" ? { tags } : known(file));
      await shell.openPath("2026-08-27.md");
      shell.command("remember-tagged");
    });
    await until(page, async () => (await shell.files())["2026-08-27.md"].startsWith("- Lunch with Ada on Friday [["));
    assert.match(await noteText(page, "Memories/Short-term/Lunch with Ada on Friday.md"), /source: "\[\[2026-08-27\]\]"/);
  }),
};
