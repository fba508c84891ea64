import assert from "node:assert/strict";
import { learntVault } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, NOW, noteText, scenario, shows, showsAll, showsFirst, tabTo, until } from "./steps.mjs";

const ROW = ".mnemex-learnt-row";
const DARK = "Memories/Short-term/Wants dark mode before the beta.md";

// what stands below a memory is whole
async function fits(page) {
  await assertNoOverflow(page, ".mnemex-learnt");
  const left = await page.$eval(".mnemex-below", (below) => below.nextElementSibling.getBoundingClientRect().top - below.getBoundingClientRect().bottom);
  assert.ok(left >= 0, `what comes next begins ${-left} px too high`);
}

export const learntScenarios = {
  "what was learnt is counted, shown by day and put right with one key each": atBothWidths(async (page, width) => {
    await shows(page, ".mnemex-status:nth-child(2) span:last-child", "7 new");
    await shows(page, ".mnemex-badge", "7");
    await page.focus(".mnemex-ribbon");
    await page.keyboard.press("Enter");
    await shows(page, ".mnemex-learnt-said", "7new since 25 Aug");
    await showsFirst(page, ".mnemex-day-name", ["Today", "Yesterday", "Mon 24 Aug"]);
    await showsFirst(page, `${ROW} .mnemex-title`, ["Dark mode has to be there before the beta, people asked for it twice."]);
    await until(page, () => !document.querySelector(".mnemex-badge").isShown());
    assert.equal(await page.$$eval(`${ROW}.is-new`, (rows) => rows.length), 7);
    await assertNoOverflow(page, ".mnemex-learnt");
    await page.focus(".mnemex-learnt .mnemex-list");
    await page.keyboard.press("1");
    await shows(page, `${ROW} .mnemex-what`, "kept");
    await until(page, async (path) => /^review_count: 1$/m.test((await shell.files())[path]), DARK);
    await page.keyboard.press("z");
    await shows(page, `${ROW} .mnemex-what`, "saved");
    await page.keyboard.press("e");
    await until(page, () => document.activeElement.value?.startsWith("Dark mode has"));
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("Dark mode comes after the beta.");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await shows(page, `${ROW} .mnemex-title`, "Dark mode comes after the beta.");
    assert.match(await noteText(page, DARK), /---\nDark mode comes after the beta\.\n$/);
    await page.keyboard.press("z");
    await until(page, async (path) => (await shell.files())[path].includes("asked for it twice"), DARK);
    await page.keyboard.press("3");
    await shows(page, `${ROW} .mnemex-what`, "let go");
    await page.keyboard.press("z");
    await shows(page, `${ROW} .mnemex-what`, "saved");
    await page.keyboard.press("4");
    await until(page, () => document.activeElement.placeholder?.startsWith("What is true now?"));
    await page.keyboard.type("Dark mode is out.");
    await page.keyboard.press("Enter");
    const made = "Memories/Short-term/Dark mode is out.md";
    await until(page, async (path) => path in (await shell.files()), made);
    assert.match(await noteText(page, made), /supersedes:\n {2}- "\[\[Wants dark mode before the beta\]\]"/);
    await until(page, async () => "Memories/Archive/2026/Wants dark mode before the beta.md" in (await shell.files()));
    assert.equal(await page.evaluate(() => document.activeElement.className), "mnemex-list");
    assert.ok(width);
  }, { vault: learntVault(NOW) }),

  "a conversation stands alone with what was used in it, and a day leads to its note": atBothWidths(async (page) => {
    await page.focus(".mnemex-ribbon");
    await page.keyboard.press("Enter");
    await showsFirst(page, `${ROW} .mnemex-session`, ["frontend planning"]);
    await tabTo(page, ".mnemex-learnt .mnemex-list");
    await page.keyboard.press("c");
    await shows(page, ".mnemex-trail-name", "frontend planning");
    await until(page, (row) => document.querySelectorAll(row).length === 4, ROW);
    await showsAll(page, `${ROW} .mnemex-what`, ["saved", "used", "saved", "saved"]);
    await assertNoOverflow(page, ".mnemex-learnt");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until(page, (row) => document.querySelectorAll(row).length > 4, ROW);
    await until(page, () => document.activeElement.matches(".mnemex-learnt .mnemex-list"));
    await page.keyboard.press("d");
    assert.equal(await page.evaluate(() => shell.lastFile), null);
    await until(page, () => document.querySelector(".mnemex-learnt .has-focus") !== null);
    for (let row = 0; row < 4; row++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("d");
    await until(page, () => shell.lastFile?.path === "2026-08-26.md");
  }, { vault: learntVault(NOW) }),

  "a tap opens what can be done, and a conversation is followed and left without a mouse or keys": scenario(async (page) => {
    await page.evaluate(() => shell.command("open-learnt"));
    await page.tap(`${ROW} .mnemex-title`);
    await showsAll(page, ".mnemex-below button", ["Keep", "Fix", "Let go", "Not true any more", "Conversation", "Open"]);
    await fits(page);
    await (await page.$$(".mnemex-below button"))[0].tap();
    await until(page, async (path) => /^review_count: 1$/m.test((await shell.files())[path]), DARK);
    await shows(page, `${ROW} .mnemex-what`, "kept");
    await page.tap(`${ROW} .mnemex-undo`);
    await shows(page, `${ROW} .mnemex-what`, "saved");
    await page.tap(`${ROW} .mnemex-title`);
    await (await page.$$(".mnemex-below button"))[4].tap();
    await shows(page, ".mnemex-trail-name", "frontend planning");
    await page.tap(".mnemex-learnt-buttons button");
    await until(page, (row) => document.querySelectorAll(row).length > 4, ROW);
    await page.tap(`${ROW} .mnemex-title`);
    await (await page.$$(".mnemex-below button"))[3].tap();
    await until(page, () => document.activeElement.placeholder?.startsWith("What is true now?"));
    await page.keyboard.type("Dark mode is out.");
    await fits(page);
    await (await page.$(".mnemex-below .mod-cta")).tap();
    await until(page, async () => "Memories/Short-term/Dark mode is out.md" in (await shell.files()));
  }, { vault: learntVault(NOW), size: [320, 640], phone: true, body: "no-side" }),

  "what strangers wrote waits for a yes, which keeping, and dragging it to what lasts, say": atBothWidths(async (page) => {
    const note = (id) => `---\norigin: web\npinned: false\ncreated: 2026-08-27T08:00:00\nlast_used: 2026-08-27T08:00:00\nmemory_id: ${id}\n---\nBlue sells best, says ${id}.\n`;
    const [kept, dragged] = ["shop1", "shop2"].map((id) => `Memories/Short-term/Blue of ${id}.md`);
    await page.evaluate(async (files) => {
      for (const [path, text] of files) await shell.app.vault.create(path, text);
      shell.command("open-dashboard");
    }, [[kept, note("shop1")], [dragged, note("shop2")]]);
    await shows(page, ".mnemex-counts > :nth-child(4)", "2waiting for your yesLook");
    await assertNoOverflow(page, ".mnemex-dash");
    await tabTo(page, ".mnemex-counts > :nth-child(4)");
    await page.keyboard.press("Enter");
    await shows(page, ".mnemex-trail-name", "Waiting for your yes");
    await showsFirst(page, `${ROW} .mnemex-what`, ["saved, waits for your yes", "saved, waits for your yes"]);
    await assertNoOverflow(page, ".mnemex-learnt");
    await until(page, () => document.activeElement.matches(".mnemex-learnt .mnemex-list"));
    await page.keyboard.press("1");
    await until(page, async (path) => /^approved: 2026-08-27T09:30:\d\d$/m.test((await shell.files())[path]), kept);
    await shows(page, `${ROW} .mnemex-what`, "kept");
    await page.keyboard.press("z");
    await until(page, async (path) => !(await shell.files())[path].includes("approved"), kept);
    const there = dragged.replace("Short-term", "Long-term");
    await page.evaluate(([from, to]) => shell.app.fileManager.renameFile(shell.app.vault.getFileByPath(from), to), [dragged, there]);
    await until(page, async (path) => /^approved: /m.test((await shell.files())[path]), there);
    await page.evaluate(() => shell.command("open-dashboard"));
    await shows(page, ".mnemex-counts > :nth-child(4)", "1waiting for your yesLook");
  }, { vault: learntVault(NOW) }),

  "what comes while the stream is open is marked, and is no news elsewhere": scenario(async (page) => {
    await page.evaluate(() => shell.command("open-learnt"));
    await until(page, (row) => document.querySelectorAll(row).length > 4, ROW);
    await page.evaluate(() => shell.app.vault.create("Memories/Short-term/Fresh.md", "---\norigin: ai\ncreated: 2026-08-27T09:29:00\nlast_used: 2026-08-27T09:29:00\nmemory_id: fresh1\n---\nFresh from the press.\n"));
    await shows(page, `${ROW}.is-new .mnemex-title`, "Fresh from the press.");
    await until(page, () => !document.querySelector(".mnemex-badge").isShown());
  }, { vault: learntVault(NOW), body: "no-side" }),
};
