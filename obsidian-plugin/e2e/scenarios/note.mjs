import assert from "node:assert/strict";
import { drawnVault } from "../vaults.mjs";
import { atBothWidths, DESK, noteText, NOW, property, scenario, SQLITE, shows, until, watchIntervals } from "./steps.mjs";

const LINE = ".mnemex-line";

export const noteScenarios = {
  "a memory note has a line under its title, in every state": scenario(async (page) => {
    const lineAt = async (path, wanted) => {
      await page.evaluate((it) => shell.openPath(it), path);
      await shows(page, LINE, wanted);
    };
    await lineAt("Memories/Short-term/Prefers TypeScript over JavaScript.md", "Score 0.42·fades 12 Dec·used 5 times·Use·Pin");
    await lineAt("Memories/Short-term/Never suggest peanut recipes.md", "Pinned·used 4 times·Use·Unpin");
    await lineAt("Memories/Long-term/Frontend stack is Svelte, TypeScript and Vite.md", "Long-term since 26 Aug·used 6 times·Use·Demote");
    await lineAt("Memories/Archive/2026/Parking code for the Berlin office.md", "Archived 17 Jun, score 0.02·used once·Restore");
    await page.evaluate(() => shell.openPath("Projects/Frontend stack.md"));
    await until(page, () => document.querySelector(".mnemex-line") === null);
  }),

  "pinning in the line writes the note and changes the line": scenario(async (page) => {
    await page.evaluate((path) => shell.openPath(path), SQLITE);
    await until(page, () => document.querySelector(".mnemex-line button:last-of-type")?.textContent === "Pin");
    await page.evaluate(() => [...document.querySelectorAll(".mnemex-line button")].at(-1).click());
    await until(page, () => document.querySelector(".mnemex-line")?.textContent.startsWith("Pinned"));
    assert.equal(property(await noteText(page, SQLITE), "pinned"), "true");
  }),

  "bookkeeping properties are hidden where that is wanted": scenario(
    async (page) => {
      const shown = () => page.$$eval(".metadata-property", (rows) => rows.filter((row) => row.offsetHeight > 0).map((row) => row.dataset.propertyKey));
      await page.evaluate((path) => shell.openPath(path), SQLITE);
      await until(page, () => document.querySelector(".metadata-property") !== null);
      assert.deepEqual(await shown(), ["tags", "pinned"]);
      await page.evaluate(() => shell.plugin.desk.savePreferences({ hideBookkeeping: false, showLine: false }));
      await until(page, () => document.querySelector(".mnemex-line") === null);
      assert.ok((await shown()).includes("memory_id"));
    },
    { data: { preferences: { hideBookkeeping: true } } },
  ),

  "commands apply where they make sense, and undo takes the last change back": scenario(async (page) => {
    const before = await noteText(page, DESK);
    assert.equal(await page.evaluate(() => shell.command("promote")), false);
    assert.equal(await page.evaluate(() => shell.command("undo")), false);
    await page.evaluate((path) => shell.openPath(path), DESK);
    assert.equal(await page.evaluate(() => shell.command("restore")), false);
    assert.equal(await page.evaluate(() => shell.command("make-memory")), false);
    assert.equal(await page.evaluate(() => shell.command("promote")), true);
    await until(page, async () => "Memories/Long-term/Standing desk height is 108 cm.md" in (await shell.files()));
    assert.equal(await page.evaluate(() => shell.command("undo")), true);
    await until(page, async (path) => path in (await shell.files()), DESK);
    assert.equal(await noteText(page, DESK), before);
    await page.evaluate(() => shell.openPath("Projects/Aurora rollout.md"));
    assert.equal(await page.evaluate(() => shell.command("make-memory")), true);
    await until(page, async () => (await shell.files())["Projects/Aurora rollout.md"].includes("memory_id: "));
  }),

  "a selection is remembered with its source": atBothWidths(async (page) => {
    await page.evaluate(() => shell.openPath("Projects/Frontend stack.md"));
    await page.evaluate(() => {
      const command = shell.plugin.commands__.get("remember-selection");
      const editor = { getSelection: () => "Strict mode stays on." };
      if (!command.editorCheckCallback(true, editor)) throw new Error("does not apply");
      command.editorCheckCallback(false, editor);
    });
    const path = "Memories/Short-term/Strict mode stays on.md";
    await until(page, async (wanted) => wanted in (await shell.files()), path);
    assert.match(await noteText(page, path), /\nsource: "\[\[Frontend stack\]\]"\n|^---\nsource: "\[\[Frontend stack\]\]"\n/);
  }),

  "files in the explorer get the same menu, several at once, too": scenario(async (page) => {
    const titles = await page.evaluate(() => {
      const { Menu } = shell.api;
      const one = new Menu();
      const file = (path) => shell.app.vault.getFileByPath(path);
      shell.app.workspace.trigger("file-menu", one, file("Memories/Short-term/Standing desk height is 108 cm.md"));
      const other = new Menu();
      shell.app.workspace.trigger("file-menu", other, file("Projects/Aurora rollout.md"));
      const many = new Menu();
      const files = shell.app.vault.getMarkdownFiles();
      shell.app.workspace.trigger("files-menu", many, files);
      return [one, other, many].map((menu) => menu.items__.map((item) => item.title__));
    });
    assert.deepEqual(titles[0], ["Use", "Strengthen", "Pin", "Promote to long-term", "Let go"]);
    assert.deepEqual(titles[1], ["Make this note a memory"]);
    assert.ok(titles[2].includes("Restore (6)"), titles[2].join());
  }),

  "the settings show what the vault's settings note says": scenario(async (page) => {
    const shown = await page.evaluate(() => {
      const [tab] = shell.plugin.settingTabs__;
      tab.display();
      return { text: tab.containerEl.textContent, names: tab.getSettingDefinitions().map(({ name, heading }) => name ?? heading) };
    });
    assert.match(shown.text, /Count reading as use/);
    assert.match(shown.text, /Memories\/Settings\.md\. Change a property there/);
    assert.match(shown.text, /power law, half-life 3 days/);
    assert.equal(shown.names.length, 6);
  }),

  "nothing is left after unloading": async (open) => {
    const { page, problems, close } = await open({ vault: drawnVault(NOW), now: NOW });
    await watchIntervals(page);
    const left = await page.evaluate(async () => {
      const listening = shell.listeners();
      const { code, manifest } = shell;
      shell.disable();
      const bare = shell.listeners();
      for (let round = 0; round < 3; round++) {
        await shell.enable(code, manifest, null, true);
        await shell.plugin.desk.openPanel();
        await shell.plugin.desk.openDashboard();
        await shell.plugin.desk.openReview();
        await shell.plugin.desk.openLearnt();
        await shell.plugin.desk.openProfile();
        await shell.openPath("Memories/Short-term/Standing desk height is 108 cm.md");
        shell.disable();
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      return {
        listening,
        bare,
        after: shell.listeners(),
        intervals: window.intervals.size,
        dom: document.querySelectorAll("[class*=mnemex]:not(.status-bar *, .workspace-ribbon *)").length,
      };
    });
    assert.ok(left.listening > left.bare);
    assert.equal(left.after, left.bare);
    assert.equal(left.intervals, 0);
    assert.equal(left.dom, 0);
    assert.deepEqual(problems, []);
    await close();
  },
};
