import assert from "node:assert/strict";
import { profileVault } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, NOW, shows, showsAll, showsFirst, until } from "./steps.mjs";

const NOTE = "Memories/What it knows about me.md";

export const profileScenarios = {
  "one page says what is known about a person, what is wrong goes by one key, and it is written when asked for": atBothWidths(async (page) => {
    await page.evaluate(() => shell.command("open-profile"));
    await showsAll(page, ".mnemex-day-name", ["Preferences", "Kiezkarte · projects", "Zoë · people", "Berlin · places", "MapLibre · other names"]);
    await showsFirst(page, ".mnemex-learnt-row .mnemex-title", ["Never suggest peanut recipes.", "Wants short answers without a summary."]);
    await assertNoOverflow(page, ".mnemex-learnt");
    await page.focus(".mnemex-learnt .mnemex-list");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("4");
    await until(page, () => document.activeElement.placeholder?.startsWith("What is true now?"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await page.keyboard.type("Wants long answers.");
    await page.keyboard.press("Enter");
    await until(page, async () => "Memories/Short-term/Wants long answers.md" in (await shell.files()));
    await until(page, () => [...document.querySelectorAll(".mnemex-learnt-row .mnemex-what")].some((el) => el.textContent === "not true any more"));
    await page.keyboard.press("z");
    await page.keyboard.press("z");
    await until(page, async () => "Memories/Short-term/Wants short answers without a summary.md" in (await shell.files()));
    assert.equal(await page.evaluate(async (path) => path in (await shell.files()), NOTE), false);
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Enter");
    await until(page, async (path) => (await shell.files())[path]?.includes("- Never suggest peanut recipes. ([["), NOTE);
    await until(page, (path) => shell.lastFile?.path === path, NOTE);
    await page.evaluate(async (path) => shell.app.vault.process(shell.app.vault.getFileByPath(path), (text) => `${text}Mine.\n`), NOTE);
    await page.evaluate(() => shell.command("open-profile"));
    await page.evaluate(() => [...document.querySelectorAll(".mnemex-learnt-buttons button")].at(-1).click());
    await until(page, async (path) => /%%mnemex:end%%\nMine\.\n$/.test((await shell.files())[path]), NOTE);
    await shows(page, ".mnemex-learnt-said", /^What matters most/);
  }, { vault: profileVault(NOW) }),
};
