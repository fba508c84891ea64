// Every view at every width, font size and direction: nothing sticks out, nothing is too small or too pale.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { conflictVault, drawnVault, learntVault, profileVault } from "../vaults.mjs";
import { assertNoOverflow, drawBase, NOW, scenario, settled, until } from "./steps.mjs";

const SEEN = ".workspace-leaf:not([style*='none'])";
const VIEWS = [
  ["open-dashboard", ".mnemex-dash"],
  ["review", ".mnemex-review"],
  ["open-learnt", `${SEEN} .mnemex-learnt`],
  ["open-profile", `${SEEN} .mnemex-learnt`],
];
// Sinhala and Arabic, an assistant's conversation of a long name, an entity, a conflict: what the views have to hold
const FULL = (() => {
  const vault = drawnVault(NOW);
  for (const more of [learntVault(NOW), profileVault(NOW), conflictVault(NOW)]) Object.assign(vault.files, more.files);
  return { ...vault, device: learntVault(NOW).device };
})();
const AXE = readFileSync(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

// serious are the findings that keep people from using it; the colour of the main button is the theme's
async function assertAccessible(page, selector) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (root) => {
    const { violations } = await axe.run({ include: root, exclude: [".mod-cta"] }, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any.map(({ message }) => message).join(" ").slice(0, 160)}`));
  }, selector);
  assert.deepEqual(found, [], selector);
}

async function eachView(page, check) {
  await check(".mnemex-panel");
  for (const [command, selector] of VIEWS) {
    await page.evaluate((id) => {
      document.body.className = document.body.className.replace("only-side", "no-side");
      return shell.command(id);
    }, command);
    await page.waitForSelector(`${selector} *`);
    await settled(page);
    await check(selector);
  }
  await drawBase(page, "cards");
  await check(".mnemex-freshness");
  await page.evaluate(() => document.querySelector(".base-holder").remove());
  await page.evaluate(() => shell.openPath("Memories/Short-term/Standing desk height is 108 cm.md"));
  await page.waitForSelector(".mnemex-line *");
  await check(".mnemex-line");
  for (const open of [() => shell.command("new-memory"), () => shell.command("explain-score"), () => shell.plugin.desk.openSetup(), openSettings]) {
    await page.evaluate(open);
    await page.waitForSelector(".modal *");
    await check(".modal");
    await page.evaluate(() => document.querySelectorAll(".modal-container, .modal").forEach((modal) => modal.remove()));
  }
}

// runs in the page: the app shows a tab of settings in a dialog
function openSettings() {
  const [tab] = shell.plugin.settingTabs__;
  tab.display();
  document.body.createDiv({ cls: "modal mod-settings" }).append(tab.containerEl);
}

// the tab of settings is made of the app's own controls
async function assertTargets(page, selector) {
  const small = await page.$$eval(`${selector} :is(button, a, input, .tree-item-self, [role=button])`, (all) =>
    all
      .filter((el) => el.offsetParent && !el.closest(".mnemex-rbody, .mod-settings") && getComputedStyle(el).pointerEvents !== "none")
      .map((el) => [el.className || el.tagName, Math.round(el.getBoundingClientRect().height)])
      .filter(([, height]) => height < 44));
  assert.deepEqual(small, []);
}

async function assertContrast(page, selector) {
  const pale = await page.$eval(selector, (root) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (colour, under) => {
      canvas.fillStyle = under;
      canvas.fillRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const text = (channels) => `rgb(${channels.join(",")})`;
    const ground = (el) => (el ? text(rgb(getComputedStyle(el).backgroundColor, ground(el.parentElement))) : "#fff");
    const light = (channels) => channels.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [];
    for (const el of root.querySelectorAll("*")) {
      const own = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
      if (!own || !el.getClientRects().length || el.closest(".mod-cta, .mnemex-announcer, .mnemex-rbody, title")) continue;
      const under = ground(el);
      const svg = el.namespaceURI.endsWith("svg");
      const [one, other] = [light(rgb(getComputedStyle(el)[svg ? "fill" : "color"], under)), light(rgb(under, under))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < 4.5) found.push(`${el.getAttribute("class")} ${el.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
    }
    return found;
  });
  assert.deepEqual(pale.filter((line) => !line.startsWith("mnemex-c-usedlabel")), []);
}

function widths() {
  return [320, 360, 390, 768].map((width) => ({ size: [width, 780], phone: true, body: "only-side" })).concat([900, 1600].map((width) => ({ size: [width, 800] })));
}

export const fittingScenarios = {
  "nothing sticks out from 320 to 1600 px, and on touch screens nothing is smaller than 44 px": async (open) => {
    for (const options of widths()) {
      await scenario((page) => eachView(page, async (selector) => {
        await assertNoOverflow(page, selector);
        if (options.phone) await assertTargets(page, selector);
      }), { ...options, vault: FULL })(open);
    }
  },

  "nothing sticks out from right to left": async (open) => {
    for (const options of [{ size: [320, 780], phone: true, body: "only-side" }, { size: [1280, 800] }]) {
      await scenario(async (page) => {
        await page.evaluate(() => {
          document.documentElement.dir = "rtl";
          document.body.classList.add("mod-rtl");
        });
        await eachView(page, (selector) => assertNoOverflow(page, selector));
      }, { ...options, vault: FULL })(open);
    }
  },

  "fonts of 12 to 20 px fit": async (open) => {
    for (const [small, size] of [[12, [1360, 838]], [18, [1360, 838]], [20, [1360, 838]], [20, [390, 780]]]) {
      const phone = size[0] < 600;
      await scenario(async (page) => {
        await page.addStyleTag({ content: `body { --font-ui-small: ${small}px !important; --font-ui-smaller: ${small - 1}px !important; --font-ui-medium: ${small + 2}px !important; }` });
        await page.evaluate(async () => {
          const side = shell.app.workspace.leaves.find((leaf) => leaf.side);
          shell.close(side);
          await shell.plugin.desk.openPanel();
        });
        await page.waitForSelector(".mnemex-row");
        const cut = await page.$$eval(".mnemex-row-top", (rows) => rows.filter((row) => row.scrollHeight > row.clientHeight + 3).length);
        assert.equal(cut, 0);
        await eachView(page, (selector) => assertNoOverflow(page, selector));
      }, { size, phone, body: phone ? "only-side" : "", vault: FULL })(open);
    }
  },

  "what is read stands out 4.5 to 1, in light and dark": async (open) => {
    for (const theme of ["light", "dark"]) {
      await scenario((page) => eachView(page, (selector) => assertContrast(page, selector)), { theme, vault: FULL })(open);
    }
  },

  "axe finds nothing serious on any view, in light and dark, wide and narrow": async (open) => {
    for (const options of [{ theme: "light" }, { theme: "dark" }, { size: [390, 844], phone: true, body: "only-side" }]) {
      await scenario((page) => eachView(page, (selector) => assertAccessible(page, selector)), { ...options, vault: FULL })(open);
    }
  },

  "a tablet keeps the curve": scenario(async (page) => {
    await page.evaluate(() => shell.app.workspace.leaves.find((leaf) => leaf.side).view.select("Memories/Short-term/Standing desk height is 108 cm.md"));
    await until(page, () => document.querySelector(".mnemex-card-curve svg")?.getBoundingClientRect().height > 50);
  }, { size: [768, 1000], phone: true, body: "only-side" }),

  "from right to left the timeline is mirrored, and each state has a shape": scenario(async (page) => {
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
      document.body.classList.add("mod-rtl");
      shell.command("open-dashboard");
    });
    await page.waitForSelector(".mnemex-tl-track i");
    const mirrored = await page.$$eval(".mnemex-tl-track", (tracks) => tracks.every((track) => Math.abs(track.getBoundingClientRect().right - track.firstChild.getBoundingClientRect().right) < 1));
    assert.equal(mirrored, true);
    const tags = await page.$$eval(".mnemex-tags span", (all) => all.every((tag) => getComputedStyle(tag).direction === "ltr"));
    assert.equal(tags, true);
    // to somebody who sees no colours
    await page.addStyleTag({ content: "[data-state] { --mnemex-color: #777 !important; }" });
    const shapes = await page.$$eval(".mnemex-bar > span", (bars) => Object.fromEntries(bars.map((bar) => [bar.parentElement.dataset.state, getComputedStyle(bar).backgroundImage])));
    assert.equal(new Set([shapes.fading, shapes.due, shapes.fresh]).size, 3, JSON.stringify(shapes));
  }),
};
