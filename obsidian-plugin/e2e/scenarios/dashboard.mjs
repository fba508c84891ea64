import assert from "node:assert/strict";
import { learntVault } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, drawBase, letPass, NOW, scenario, shows, showsAll, showsFirst, until, watchIntervals } from "./steps.mjs";

const HOUR = 3_600_000;
const CHANGE = ".mnemex-ch";

export const dashboardScenarios = {
  "the dashboard counts, charts and lists what fades": scenario(async (page) => {
    await page.evaluate(() => shell.command("open-dashboard"));
    await showsAll(page, ".mnemex-counts > div", ["62short-term", "9long-term", "6archived", "9to reviewReview"]);
    await shows(page, ".mnemex-chart title", "Scores of 60 short-term memories: 4 fading, 5 due for review, 51 fresh");
    await shows(page, ".mnemex-two section:nth-child(2) h6", "Fades in the next 30 days8");
    await showsFirst(page, ".mnemex-tl-day", ["30 Aug", "5 Sep"]);
    await assertNoOverflow(page, ".mnemex-dash");
    await page.click(".mnemex-tl-row a.mnemex-title");
    await until(page, () => shell.lastFile?.path === "Memories/Short-term/Lisbon offsite quote is valid until Friday.md");
  }),

  "changes of others and one's own stand there, and each is undone and redone": scenario(async (page) => {
    await page.evaluate(() => shell.command("open-dashboard"));
    await shows(page, CHANGE, /^YesterdayOld VPN endpoint, replaced in Marchfaded\d\d:\d\dUndo$/);
    await shows(page, `${CHANGE} a.mnemex-title`, "Old VPN endpoint, replaced in March");
    await page.click(`${CHANGE} a.mnemex-title`);
    await until(page, () => shell.lastFile?.basename === "Old VPN endpoint, replaced in March");
    await page.evaluate(() => shell.command("open-dashboard"));
    await page.evaluate(() => document.querySelector(".mnemex-ch button").click());
    const restored = "Memories/Short-term/Old VPN endpoint, replaced in March.md";
    await until(page, async (path) => path in (await shell.files()), restored);
    await until(page, () => document.querySelector(".mnemex-ch")?.textContent.includes("restored"));
    await page.evaluate(() => document.querySelector(".mnemex-ch button").click());
    await until(page, () => document.querySelector(".mnemex-ch.is-undone button")?.textContent === "Redo");
    await until(page, async (path) => !(path in (await shell.files())), restored);
    await page.evaluate(() => document.querySelector(".mnemex-ch.is-undone button").click());
    await until(page, async (path) => path in (await shell.files()), restored);
  }),

  "what is said of today is said of yesterday after midnight, with nobody touching anything": scenario(async (page) => {
    await watchIntervals(page);
    await page.evaluate(() => shell.command("open-learnt"));
    await showsFirst(page, ".mnemex-day-name", ["Today", "Yesterday"]);
    await letPass(page, 14.4 * HOUR);
    await showsFirst(page, ".mnemex-day-name", ["Today", "Yesterday"]);
    await letPass(page, 0.2 * HOUR);
    await showsFirst(page, ".mnemex-day-name", ["Yesterday", "Wed 26 Aug"]);
    await page.evaluate(() => shell.command("open-dashboard"));
    await page.evaluate(() => {
      const note = shell.plugin.desk.cache.all().find(({ tier }) => tier === "short-term");
      return shell.plugin.desk.perform(note, (actions, it) => actions.archive(it), true);
    });
    await shows(page, ".mnemex-ch-day", "Today");
    await letPass(page, 24 * HOUR);
    await shows(page, ".mnemex-ch-day", "Yesterday");
    await letPass(page, 72 * HOUR);
    await shows(page, ".mnemex-ch-day", /^Fri 28 Aug/);
  }, { vault: learntVault(NOW), body: "no-side" }),

  "a base shows memories by state, in rows and cards": atBothWidths(async (page) => {
    await drawBase(page, "rows");
    await showsAll(page, ".mnemex-freshness h6", ["Fading4", "Due for review5", "Fresh51", "Pinned2", "Long-term9", "Archived6"]);
    await assertNoOverflow(page, ".mnemex-freshness");
    await drawBase(page, "cards");
    await assertNoOverflow(page, ".mnemex-freshness");
    await page.focus(".mnemex-freshness a");
    await page.keyboard.press("Enter");
    await until(page, () => shell.lastFile?.path.includes("Lisbon"));
  }),

  "an app without views for bases is served as well": scenario(async (page) => {
    await showsFirst(page, ".mnemex-group-self", ["Fading4"]);
    assert.equal(await page.evaluate(() => shell.plugin.basesViewRegistrations__.size), 0);
  }, { old: true }),

  "a narrow dashboard stands in one column": scenario(
    async (page) => {
      await page.evaluate(() => shell.command("open-dashboard"));
      await assertNoOverflow(page, ".mnemex-dash");
      const columns = await page.$eval(".mnemex-two", (el) => getComputedStyle(el).gridTemplateColumns.split(" ").length);
      assert.equal(columns, 1);
      const words = await page.$$eval(".mnemex-chart text.mnemex-c-note", (all) => all.map((word) => word.textContent));
      assert.deepEqual(words, ["fading", "due", "fresh"]);
    },
    { size: [380, 780], phone: true, body: "no-side" },
  ),
};
