import assert from "node:assert/strict";
import { HOSTILE_TITLE } from "../vaults.mjs";
import { assertNoOverflow, atBothWidths, DESK, noteText, property, scenario, settled, shows, showsAll, showsFirst, texts, until } from "./steps.mjs";

const ROW = ".mnemex-row:not(.mnemex-about) .tree-item-self";

async function rowOf(page, title) {
  const rows = await page.$$(ROW);
  for (const row of rows) {
    if ((await row.evaluate((element) => element.querySelector(".mnemex-title").textContent)) === title) return row;
  }
  throw new Error(`no row ${title}`);
}

// as the app tells of a change from outside; the mock throws at what it cannot read, and its clock hardly moves
function rewriteOutside(page, path, text, cached) {
  return page.evaluate(async (it, written, known) => {
    const file = shell.app.vault.getFileByPath(it);
    await shell.app.vault.adapter.write(it, written);
    file.stat = { ...file.stat, mtime: file.stat.mtime + 1 };
    shell.app.metadataCache.cache__.set(it, known);
    shell.app.metadataCache.trigger("changed", file);
  }, path, text, cached);
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

  "while somebody types the list stays, and is made anew once when they pause": scenario(async (page) => {
    const before = (await page.$$(".mnemex-row")).length;
    const shown = await page.evaluate(() => {
      const { view } = shell.app.workspace.leaves.find((leaf) => leaf.side);
      const search = view.search.bind(view);
      window.searched = [];
      view.search = (text) => {
        window.searched.push(text);
        search(text);
      };
      const input = document.querySelector(".mnemex-search input");
      for (const typed of ["w", "wa", "wal checkpoint"]) {
        input.value = typed;
        input.dispatchEvent(new Event("input"));
      }
      return document.querySelectorAll(".mnemex-row").length;
    });
    assert.equal(shown, before);
    await until(page, () => document.querySelectorAll(".mnemex-row").length === 1);
    assert.deepEqual(await page.evaluate(() => window.searched), ["wal checkpoint"]);
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
      await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => (window.copied = text) } }));
      await page.click(".modal button");
      assert.equal(await page.evaluate(() => window.copied), `${await page.$eval(".modal code", (code) => code.textContent)}\n`);
    },
    { vault: { files: { "Home.md": "# Home\n" } } },
  ),

  "who wants to connect an assistant sees when one was last heard of": scenario(async (page) => {
    await page.evaluate(() => shell.plugin.desk.openSetup());
    await shows(page, ".mnemex-heard", /^An assistant was last heard of: .+, \d\d:\d\d\.$/);
  }),

  "a phone is told to set it up on the computer": scenario(
    async (page) => {
      await page.click(".mnemex-empty .mod-cta");
      await shows(page, ".modal", /Set it up on your computer/);
      assert.equal(await page.$(".modal code"), null);
    },
    { vault: { files: { "Home.md": "# Home\n" } }, size: [390, 780], phone: true, body: "only-side" },
  ),

  "notes that cannot be read are counted as they come and go, each with its reason": scenario(async (page) => {
    const good = "---\ntags: a\nmemory_id: x\n---\nText.\n";
    const [memory, ordinary] = ["Memories/Short-term/Broken.md", "Memories/Short-term/Never read.md"];
    await page.evaluate((path, text) => shell.app.vault.create(path, text), memory, good);
    await settled(page);
    await rewriteOutside(page, memory, good.replace("a\n", "[a\n"), {});
    await shows(page, ".mnemex-trouble", "1 note cannot be read");
    await page.evaluate((path) => shell.app.vault.create(path, "Text.\n"), ordinary);
    await rewriteOutside(page, ordinary, "---\na: 1\na: 2\n---\nText.\n", {});
    await shows(page, ".mnemex-trouble", "2 notes cannot be read");
    await page.click(".mnemex-trouble button");
    await until(page, () => document.querySelectorAll(".menu-item").length === 2);
    assert.match((await texts(page, ".menu-item")).join("\n"), /^Broken\.md: .+\nNever read\.md: .+$/);
    await rewriteOutside(page, ordinary, "Text.\n", {});
    await shows(page, ".mnemex-trouble", "1 note cannot be read");
    await rewriteOutside(page, memory, good, { frontmatter: { tags: "a", memory_id: "x" } });
    await until(page, () => document.querySelector(".mnemex-trouble").textContent === "");
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
