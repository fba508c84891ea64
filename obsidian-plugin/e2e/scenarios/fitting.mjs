// Every view at every width, font size and direction: nothing sticks out, nothing is too small or too pale.
import assert from "node:assert/strict";
import { assertNoOverflow, scenario, settled, until } from "./steps.mjs";

const VIEWS = [["open-dashboard", ".mnemex-dash"], ["review", ".mnemex-review"]];

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
}

async function assertTargets(page, selector) {
  const small = await page.$$eval(`${selector} :is(button, a, input, .tree-item-self, [role=button])`, (all) =>
    all
      .filter((el) => el.offsetParent && !el.closest(".mnemex-rbody"))
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
      }), options)(open);
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
      }, { size, phone, body: phone ? "only-side" : "" })(open);
    }
  },

  "what is read stands out 4.5 to 1, in light and dark": async (open) => {
    for (const theme of ["light", "dark"]) {
      await scenario((page) => eachView(page, (selector) => assertContrast(page, selector)), { theme })(open);
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
    const shapes = await page.$$eval(".mnemex-bar > span", (bars) => Object.fromEntries(bars.map((bar) => [bar.parentElement.dataset.state, getComputedStyle(bar).backgroundImage])));
    assert.notEqual(shapes.fading, shapes.due);
  }),
};
