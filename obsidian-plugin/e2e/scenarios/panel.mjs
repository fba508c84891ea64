import assert from "node:assert/strict";
import { HOSTILE_TITLE } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, DESK, noteText, property, scenario, shows, showsAll, showsFirst, texts, until } from "./steps.mjs";

const ROW = ".mnemex-row:not(.mnemex-about) .tree-item-self";

async function rowOf(page, title) {
  const rows = await page.$$(ROW);
  for (const row of rows) {
    if ((await row.evaluate((element) => element.querySelector(".mnemex-title").textContent)) === title) return row;
  }
  throw new Error(`no row ${title}`);
}

export const panelScenarios = {
  "the panel lists groups, scores and fade dates": scenario(async (page) => {
    await showsAll(page, ".mnemex-tiers button", ["Short-term62", "Long-term9", "Archived6"]);
    await showsFirst(page, ".mnemex-group-self", ["Fading4", "Due for review5", "Fresh51"]);
    await showsFirst(page, ".mnemex-title", ["Lisbon offsite quote is valid until Friday"]);
    await showsFirst(page, ".mnemex-score", ["0.05", "0.06", "0.07"]);
    await showsFirst(page, ".mnemex-when", ["fades in 3 days", "fades in 9 days"]);
    await assertNoOverflow(page, ".mnemex-panel");
  }),

  "a hostile title and a hostile tag stay text": scenario(async (page) => {
    assert.ok((await texts(page, ".mnemex-title")).includes(HOSTILE_TITLE));
    assert.ok((await texts(page, ".mnemex-tags span")).includes("#<b>bold</b>"));
    assert.equal(await page.$$eval(".mnemex-panel img, .mnemex-panel b:not(.mnemex-card-line b)", (found) => found.length), 0);
  }),

  "a click opens the note, and its curve stands below the list": scenario(async (page) => {
    await (await rowOf(page, "Standing desk height is 108 cm")).click();
    await until(page, () => document.querySelector(".inline-title")?.textContent === "Standing desk height is 108 cm");
    await shows(page, ".mnemex-card-title", "Standing desk height is 108 cm");
    await shows(page, ".mnemex-card svg title", /^Score 0\.22 now, falling to 0\.05 on 18 Sep\. If used today/);
  }),

  "opening a memory anywhere brings its row into sight": scenario(async (page) => {
    await page.evaluate(() => shell.openPath("Memories/Short-term/Never suggest peanut recipes.md"));
    await until(page, () => {
      const row = document.querySelector(".mnemex-row [class*=is-active]")?.getBoundingClientRect();
      const list = document.querySelector(".mnemex-list").getBoundingClientRect();
      return row && row.top >= list.top && row.bottom <= list.bottom + 1;
    });
  }),

  "the button that hovering shows counts a use, and the bar moves": scenario(async (page) => {
    const row = await rowOf(page, "Standing desk height is 108 cm");
    const before = await row.$eval(".mnemex-bar > span", (bar) => bar.getBoundingClientRect().width);
    await row.hover();
    const button = await row.waitForSelector("[aria-label=Use]", { visible: true });
    await button.click();
    await until(page, async (path) => (await shell.files())[path].includes("\nuse_count: 2\n"), DESK);
    const note = await noteText(page, DESK);
    assert.equal(property(note, "last_used"), "2026-08-27T09:30:00");
    const bars = await page.$$eval(".mnemex-bar > span", (all) => Math.max(...all.map((bar) => bar.getBoundingClientRect().width)));
    assert.ok(bars > before);
  }),

  "the list is used with the keyboard alone": scenario(async (page) => {
    await page.focus(".mnemex-search input");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = () => page.$eval(".mnemex-list", (list) => document.getElementById(list.getAttribute("aria-activedescendant"))?.getAttribute("aria-label"));
    assert.match(await active(), /^Lisbon offsite quote.*score 0\.05, fades in 3 days$/);
    await page.keyboard.press(" ");
    await shows(page, ".mnemex-card-title", "Lisbon offsite quote is valid until Friday");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await until(page, () => document.querySelector(".mnemex-group").getAttribute("aria-expanded") === "false");
    await page.keyboard.press("ArrowRight");
    await until(page, () => document.querySelector(".mnemex-group").getAttribute("aria-expanded") === "true");
    await page.keyboard.press("End");
    await until(page, () => document.querySelector(".mnemex-list .has-focus")?.textContent.includes("peanut"));
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ContextMenu");
    await until(page, () => document.querySelector(".menu") !== null);
    await page.mouse.click(200, 400);
    await page.keyboard.press("Escape");
    await page.focus(".mnemex-list");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector(".inline-title")?.textContent.startsWith("Lisbon"));
  }),

  "the context menu lets go, and the notice undoes it": scenario(async (page) => {
    const row = await rowOf(page, "Standing desk height is 108 cm");
    await row.click({ button: "right" });
    await showsAll(page, ".menu-item", [
      "Use", "Strengthen", "Pin", "Promote to long-term", "Open in new tab", "Open to the right", "Copy link", "Explain score", "Let go",
    ]);
    await page.evaluate(() => [...document.querySelectorAll(".menu-item")].at(-1).click());
    const archived = "Memories/Archive/2026/Standing desk height is 108 cm.md";
    await until(page, async (path) => path in (await shell.files()), archived);
    await until(page, () => document.querySelector(".notice")?.textContent.startsWith("Let go: Standing desk"));
    await page.click(".notice a");
    await until(page, async (path) => path in (await shell.files()), DESK);
    await until(page, () => [...document.querySelectorAll(".mnemex-title")].some((el) => el.textContent.startsWith("Standing desk")));
  }),

  "searching finds titles, tags and texts, and says where else": scenario(async (page) => {
    await page.type(".mnemex-search input", "wal checkpoint");
    await until(page, () => document.querySelectorAll(".mnemex-row").length === 1);
    await page.keyboard.press("Escape");
    await page.type(".mnemex-search input", "ticket rollback");
    await until(page, () => document.querySelectorAll(".mnemex-row").length === 1);
    await shows(page, ".mnemex-title", /^Wants every staging deploy/);
    await page.keyboard.press("Escape");
    await page.type(".mnemex-search input", "VPN");
    await until(page, () => document.querySelector(".mnemex-empty")?.textContent.includes("No short-term memory matches “VPN”."));
    await showsAll(page, ".mnemex-empty button", ["Show 1 archived"]);
    await page.click(".mnemex-empty button");
    await until(page, () => document.querySelector(".mnemex-title")?.textContent.startsWith("Old VPN"));
  }),

  "a click on a tag filters by it, and the filter can be taken away": scenario(async (page) => {
    await (await page.$(".mnemex-tags span")).click();
    await until(page, () => document.querySelector(".mnemex-filter")?.textContent === "#travel");
    await until(page, () => document.querySelectorAll(".mnemex-title").length === 1);
    await page.click(".mnemex-filter button");
    await until(page, () => document.querySelectorAll(".mnemex-row").length > 5);
  }),

  "tiers are tabs, and the arrow keys go through them": scenario(async (page) => {
    await page.focus(".mnemex-tiers button");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await until(page, () => document.querySelector(".mnemex-tiers [aria-selected=true]").textContent === "Archived6");
    await showsFirst(page, ".mnemex-group-self", ["August2"]);
    await showsFirst(page, ".mnemex-when", ["faded 26 Aug"]);
  }),

  "an open note shows the memories about it": scenario(async (page) => {
    await page.evaluate(() => shell.openPath("Projects/Frontend stack.md"));
    await until(page, () => document.querySelector(".mnemex-group-self")?.textContent === "About this note3");
    await showsAll(page, ".mnemex-about .mnemex-title", [
      "Frontend stack is Svelte, TypeScript and Vite",
      "Prefers TypeScript over JavaScript",
      "TypeScript の strict を必ず有効にする",
    ]);
  }),

  "memories about a note say why, and Enter or a drag inserts a link": atBothWidths(async (page, width) => {
    await page.evaluate(() => shell.openPath("Projects/Frontend stack.md"));
    if (width < 600) await page.evaluate(() => document.body.classList.replace("no-side", "only-side"));
    await until(page, () => document.querySelector(".mnemex-about"));
    await shows(page, ".mnemex-about .mnemex-why", /^(links here · )?names Frontend stack/);
    await page.focus(".mnemex-list");
    await page.keyboard.press("ArrowDown");
    const wanted = await page.$eval(".mnemex-about .mnemex-title", (title) => title.textContent);
    await page.keyboard.press("Enter");
    await until(page, async (title) => (await shell.files())["Projects/Frontend stack.md"].trimEnd().endsWith(`[[${title}]]`), wanted);
    const dragged = await page.$eval(".mnemex-about .tree-item-self", (row) => {
      const data = new DataTransfer();
      row.dispatchEvent(new DragEvent("dragstart", { dataTransfer: data }));
      return data.getData("text/plain");
    });
    assert.match(dragged, /^\[\[.+\]\]$/);
    await assertNoOverflow(page, ".mnemex-panel");
  }, { body: "" }),

  "an empty vault says what to do": scenario(
    async (page) => {
      await shows(page, ".mnemex-empty", /^Nothing remembered yet/);
      await page.click(".mnemex-empty .mod-cta");
      await until(page, () => document.querySelector(".modal")?.textContent.includes("No assistant has saved anything here yet."));
      assert.match(await page.$eval(".modal code", (code) => code.textContent), /^uv tool install mnemex-vault\nmnemex init \S+/);
      await until(page, () => document.querySelector(".modal button")?.textContent === "Copy");
    },
    { vault: { files: { "Home.md": "# Home\n" } } },
  ),

  "a phone is told to set it up on the computer": scenario(
    async (page) => {
      await page.click(".mnemex-empty .mod-cta");
      await shows(page, ".modal", /Set it up on your computer/);
      assert.equal(await page.$(".modal code"), null);
    },
    { vault: { files: { "Home.md": "# Home\n" } }, size: [390, 780], phone: true, body: "only-side" },
  ),

  "notes that cannot be read are counted, each with its reason": scenario(async (page) => {
    const path = "Memories/Short-term/Broken.md";
    await page.evaluate(async (it) => {
      const file = await shell.app.vault.create(it, "Text.\n");
      // the app has no properties for what it cannot read; the mock would throw
      await shell.app.vault.adapter.write(it, "---\ntags: [a\nmemory_id: x\n---\nText.\n");
      shell.app.metadataCache.cache__.set(it, {});
      shell.app.metadataCache.trigger("changed", file);
      await shell.openPath("Projects/Aurora rollout.md");
      const view = shell.app.workspace.leaves.find((leaf) => leaf.side).view;
      view.trouble.notes.known.clear();
      await view.trouble.refresh();
    }, path);
    await shows(page, ".mnemex-trouble", "1 note cannot be read");
    await page.click(".mnemex-trouble button");
    await shows(page, ".menu-item", /^Broken\.md: .+/);
  }),

  "a memory written by hand becomes a note": scenario(async (page) => {
    await page.evaluate(() => shell.command("new-memory"));
    await page.type(".mnemex-new-text", "Coffee: never after four. It keeps me awake.");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    const path = "Memories/Short-term/Coffee - never after four.md";
    await until(page, async (wanted) => wanted in (await shell.files()), path);
    const note = await noteText(page, path);
    assert.match(note, /^---\naliases:\n {2}- "Coffee: never after four"\npinned: false\nfades_on: 2026-10-15\ncreated: 2026-08-27T09:30:\d\d\n/);
    assert.ok(note.endsWith("---\nCoffee: never after four. It keeps me awake.\n"));
  }),

  "a narrow panel and a phone cut nothing off": async (open) => {
    for (const options of [{ size: [900, 600] }, { size: [320, 640], phone: true, body: "only-side" }]) {
      await scenario(async (page) => {
        await assertNoOverflow(page, ".mnemex-panel");
        const heights = await page.$$eval(".mnemex-row:not(:has(.mnemex-one))", (rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
        assert.ok(heights.every((height) => height === (options.phone ? 57 : 46)), `${heights}`);
      }, options)(open);
    }
  },

  "a long press on a phone opens the menu": scenario(
    async (page) => {
      const box = await (await page.$(ROW)).boundingBox();
      const touch = await page.touchscreen.touchStart(box.x + 60, box.y + 20);
      await until(page, () => document.querySelector(".menu") !== null);
      await showsFirst(page, ".menu-item", ["Use"]);
      await touch.end();
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(await page.$(".inline-title"), null);
    },
    { size: [380, 780], phone: true, body: "only-side" },
  ),
};
