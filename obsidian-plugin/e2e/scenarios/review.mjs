import assert from "node:assert/strict";
import { conflictVault } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, NOW, noteText, property, scenario, settled, shows, showsAll, tabTo, until } from "./steps.mjs";

const ALL_DUE = { data: { preferences: { reviewCap: 0 } } };
const TITLE = ".mnemex-review h2";

function title(page, start) {
  return until(page, (wanted) => document.querySelector(".mnemex-review h2")?.textContent.startsWith(wanted), start);
}

// a review that opens, anew as well, has the focus on what it asks
function asked(page) {
  return until(page, () => document.activeElement.matches(".mnemex-review-focus"));
}

export const reviewScenarios = {
  "the status bar opens the review, which goes through the queue by keys": scenario(async (page) => {
    assert.equal(await page.$eval(".mnemex-status", (el) => el.getAttribute("aria-label")), "4 memories are fading. Click to review.");
    await page.click(".mnemex-status");
    await title(page, "Lisbon");
    await shows(page, ".mnemex-prog > span:nth-child(2)", "1 of 9");
    await showsAll(page, ".mnemex-choices small", ["Counts as a use, fades 1 Nov", "Long-term, never fades", "Archived, can be restored"]);
    await page.keyboard.press("1");
    await title(page, "打ち合わせ");
    await shows(page, ".mnemex-announcer", "2 of 9");
    const kept = await noteText(page, "Memories/Short-term/Lisbon offsite quote is valid until Friday.md");
    assert.equal(property(kept, "use_count"), "2");
    assert.equal(property(kept, "review_count"), "1");
    assert.equal(property(kept, "fades_on"), "2026-11-01");
    await page.keyboard.press("2");
    await title(page, "Wants every");
    await until(page, async () => "Memories/Long-term/打ち合わせは水曜日の午後に変更、資料は前日までに共有する.md" in (await shell.files()));
    await page.keyboard.press("3");
    await title(page, "客户演示");
    await page.keyboard.press("z");
    await title(page, "Wants every");
    await until(page, async () => Object.keys(await shell.files()).filter((path) => path.includes("Wants every")).join().startsWith("Memories/Short-term/"));
    await page.keyboard.press("s");
    await title(page, "客户演示");
  }, ALL_DUE),

  "the review ends with what was done, and can be undone from there": scenario(async (page) => {
    await page.evaluate(() => shell.command("review"));
    for (let step = 1; step <= 7; step++) {
      await until(page, (wanted) => document.querySelector(".mnemex-prog > span:nth-child(2)")?.textContent === wanted, `${step} of 7`);
      await page.keyboard.press(step === 2 ? "3" : "s");
    }
    await title(page, "That was it for today.");
    await shows(page, ".mnemex-review-end p", "1 let go, 6 skipped");
    await shows(page, ".mnemex-review-end .mnemex-waiting", "2 can wait.");
    await page.keyboard.press("z");
    await until(page, () => document.querySelector(".mnemex-prog > span:nth-child(2)")?.textContent === "7 of 7");
  }),

  "what somebody else deletes or archives during a review is passed over, and said": scenario(async (page) => {
    await page.evaluate(() => shell.command("review"));
    await title(page, "Lisbon");
    const remove = (path) => page.evaluate((it) => shell.app.vault.delete(shell.app.vault.getFileByPath(it)), path);
    await remove("Memories/Short-term/Lisbon offsite quote is valid until Friday.md");
    await title(page, "打ち合わせ");
    await shows(page, ".mnemex-news", "“Lisbon offsite quote is valid until Friday” was deleted meanwhile.");
    await shows(page, ".mnemex-prog > span:nth-child(2)", "2 of 9");
    const name = "打ち合わせは水曜日の午後に変更、資料は前日までに共有する.md";
    await page.evaluate((it) => shell.app.vault.rename(shell.app.vault.getFileByPath(`Memories/Short-term/${it}`), `Memories/Archive/${it}`), name);
    await title(page, "Wants every");
    await shows(page, ".mnemex-news", /was archived meanwhile\.$/);
    await page.keyboard.press("z");
    await shows(page, TITLE, /^Wants every/);
    await page.keyboard.press("1");
    await title(page, "客户演示");
  }, ALL_DUE),

  "clicks choose as well, and the text of an assistant stays inert": scenario(async (page) => {
    await page.evaluate(() => shell.command("review"));
    await title(page, "Lisbon");
    for (const start of ["打ち合わせ", "Wants every", "客户演示", "يفضّل", "Standing", "<img"]) {
      await page.evaluate(() => [...document.querySelectorAll(".mnemex-rfoot button")].at(-1).click());
      await title(page, start);
    }
    await until(page, () => document.querySelector(".mnemex-rbody")?.textContent.includes("window.hacked"));
    assert.equal(await page.$$eval(".mnemex-review img, .mnemex-review script, .mnemex-review .internal-embed", (found) => found.length), 0);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$$eval(".mnemex-rbody code.language-dataviewjs", (found) => found.length), 0);
    await page.click(".mnemex-choices button:nth-child(3)");
    await until(page, async () => "Memories/Archive/2026/<img src=x onerror=alert(1)>.md" in (await shell.files()));
  }, ALL_DUE),

  "keys do nothing while another place has the focus": scenario(async (page) => {
    await page.evaluate(() => shell.command("review"));
    await title(page, "Lisbon");
    await page.focus(".mnemex-search input");
    await page.keyboard.type("1");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await shows(page, TITLE, /^Lisbon/);
  }),

  "a review begins with conflicts, its texts are mended in place, and it ends": atBothWidths(async (page) => {
    await page.evaluate(() => shell.command("review"));
    await title(page, "Which of these is true?");
    await asked(page);
    await shows(page, ".mnemex-waiting", "7 for today, 3 can wait");
    await showsAll(page, ".mnemex-pair-title", ["The office is in Gdańsk", "The office is in Bergen"]);
    await assertNoOverflow(page, ".mnemex-review");
    await page.keyboard.press("3");
    await showsAll(page, ".mnemex-pair-title", ["Lunch is at half past twelve", "Lunch is at noon"]);
    const office = "Memories/Short-term/The office is in Gdańsk.md";
    assert.match(await noteText(page, office), /both_true:\n {2}- "\[\[The office is in Bergen\]\]"/);
    await page.keyboard.press("z");
    await showsAll(page, ".mnemex-pair-title", ["The office is in Gdańsk", "The office is in Bergen"]);
    assert.doesNotMatch(await noteText(page, office), /both_true/);
    await page.keyboard.press("3");
    await showsAll(page, ".mnemex-choices small", ["The other stays as what was", "The other stays as what was", "Not asked again"]);
    const [noon, later] = ["noon", "half past twelve"].map((time) => `Memories/Short-term/Lunch is at ${time}.md`);
    await page.keyboard.press("1");
    await until(page, async (path) => (await shell.files())[path].includes('supersedes:\n  - "[[Lunch is at noon]]"\n'), later);
    await title(page, "Fading fact 1");
    await page.keyboard.press("z");
    await page.keyboard.press("2");
    await until(page, async (path) => (await shell.files())[path].includes('supersedes:\n  - "[[Lunch is at half past twelve]]"\n'), noon);
    assert.doesNotMatch(await noteText(page, later), /supersedes/);
    await title(page, "Fading fact 1");
    await page.keyboard.press("e");
    await until(page, () => document.activeElement.tagName === "TEXTAREA");
    await page.keyboard.type(" More of it.");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await shows(page, ".mnemex-rbody", "Fading fact 1. More of it.");
    for (const step of [3, 4, 5, 6, 7]) {
      await shows(page, ".mnemex-prog > span:nth-child(2)", `${step} of 7`);
      await page.keyboard.press("1");
    }
    await title(page, "That was it for today.");
    await shows(page, ".mnemex-review-end p", "5 kept, 2 settled");
    await page.evaluate(() => shell.command("review"));
    await title(page, "Done for today.");
    await asked(page);
    await settled(page);
    await tabTo(page, ".mnemex-review-end-buttons");
    await page.keyboard.press("Enter");
    await title(page, "Fading fact");
    await shows(page, ".mnemex-prog > span:nth-child(2)", "1 of 4");
  }, { vault: conflictVault(NOW) }),

  "what somebody else settles during a review is passed over, and said": scenario(async (page) => {
    await page.evaluate(() => shell.command("review"));
    await showsAll(page, ".mnemex-pair-title", ["The office is in Gdańsk", "The office is in Bergen"]);
    await page.evaluate((path) => shell.app.vault.process(shell.app.vault.getFileByPath(path), (text) => text.replace("contradicts:", "supersedes:")), "Memories/Short-term/The office is in Gdańsk.md");
    await showsAll(page, ".mnemex-pair-title", ["Lunch is at half past twelve", "Lunch is at noon"]);
    await shows(page, ".mnemex-news", "Which of the two holds was said meanwhile.");
  }, { vault: conflictVault(NOW) }),

  "nothing due says when something will be": scenario(
    async (page) => {
      await page.evaluate(() => shell.command("review"));
      await until(page, () => document.querySelector(".mnemex-review-end")?.textContent === "Nothing is due. The next memory is due on 1 Sep.");
    },
    {
      vault: {
        files: {
          "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\n---\n",
          "Memories/Short-term/A.md": "---\npinned: false\ncreated: 2026-08-27T09:00:00\nlast_used: 2026-08-27T09:00:00\nuse_count: 1\nstrength: 1\nmemory_id: a1\n---\nA\n",
        },
      },
    },
  ),

  "the review fits a phone": scenario(
    async (page) => {
      await page.evaluate(() => shell.command("review"));
      await title(page, "Lisbon");
      await assertNoOverflow(page, ".mnemex-review");
      const heights = await page.$$eval(".mnemex-choices button", (buttons) => buttons.map((button) => button.getBoundingClientRect().height));
      assert.ok(heights.every((height) => height >= 48), `${heights}`);
    },
    { size: [360, 740], phone: true, body: "no-side" },
  ),
};
