// What the scenarios have in common: opening a window, looking, waiting for something to be so.
import assert from "node:assert/strict";
import { drawnVault } from "../vaults.mjs";

// a busy machine is slow and not wrong: what takes longer does not come at all
const PATIENCE = 30_000;
export const NOW = Date.UTC(2026, 7, 27, 9, 30);

/** Open the drawn vault with the panel, run `steps`, and fail on any page error or request. */
export function scenario(steps, options = {}) {
  return async (open) => {
    const window = await open({ vault: drawnVault(NOW), now: NOW, ...options });
    const { page, problems, close } = window;
    await page.evaluate(() => shell.plugin.desk.openPanel());
    await page.waitForSelector(".mnemex-row, .mnemex-empty:not([style*='none'])");
    await settled(page);
    try {
      await steps(page);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  };
}

/** Run steps once as on a phone and once as on a desktop. */
export function atBothWidths(steps, options = {}) {
  return async (open) => {
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      await scenario((page) => steps(page, width), { size: [width, height], body: "no-side", ...options })(open);
    }
  };
}

/** Wait until the page says yes; fails with what it says instead. */
export async function until(page, what, ...given) {
  try {
    await page.waitForFunction(what, { timeout: PATIENCE, polling: 30 }, ...given);
  } catch {
    assert.fail(`never came true: ${what}`);
  }
}

/** Press Tab until something in this part of the page has the focus, as somebody without a mouse does. */
export async function tabTo(page, selector) {
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((part) => (document.activeElement?.closest(part) ?? null) !== null, selector)) return;
  }
  assert.fail(`no Tab leads to ${selector}`);
}

/** From now on remember what is asked to be done again and again. */
export function watchIntervals(page) {
  return page.evaluate(() => {
    window.intervals = new Map();
    const { setInterval: set, clearInterval: clear } = window;
    window.setInterval = (act, ...given) => {
      const id = set.call(window, act, ...given);
      window.intervals.set(id, act);
      return id;
    };
    window.clearInterval = (id) => {
      window.intervals.delete(id);
      clear.call(window, id);
    };
  });
}

/** Let time pass at once, and do what is due then. */
export function letPass(page, milliseconds) {
  return page.evaluate((ahead) => {
    window.clockAhead += ahead;
    for (const act of [...window.intervals.values()]) act();
  }, milliseconds);
}

/** Show all notes in a base, as rows or cards by freshness. */
export function drawBase(page, layout) {
  return page.evaluate((wanted) => {
    const holder = document.querySelector(".base-holder") ?? document.querySelector(".mod-root").createDiv({ cls: "base-holder view-content" });
    holder.replaceChildren();
    const view = shell.plugin.basesViewRegistrations__.get("mnemex-freshness").factory({}, holder);
    view.data = { data: shell.app.vault.getMarkdownFiles().map((file) => ({ file })) };
    view.config = { get: () => wanted };
    view.onDataUpdated();
  }, layout);
}

/** Wait until everything that listens to the memory cache was told of the last change. */
export function settled(page) {
  return until(page, () => shell.plugin.desk.cache.ready && shell.plugin.desk.cache.timer === null);
}

/** Look until what is seen is as it should be; fails with the difference that stays. */
async function eventually(look, check) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return check(await look());
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

/** Wait until the first element shows a text, or one that a pattern matches. */
export function shows(page, selector, wanted) {
  const check = wanted instanceof RegExp ? assert.match : assert.equal;
  return eventually(() => text(page, selector), (found) => check(found, wanted));
}

/** Wait until the elements show these texts, and there are no others. */
export function showsAll(page, selector, wanted) {
  return eventually(() => texts(page, selector), (found) => assert.deepEqual(found, wanted));
}

/** Wait until the first of the elements show these texts. */
export function showsFirst(page, selector, wanted) {
  return eventually(() => texts(page, selector), (found) => assert.deepEqual(found.slice(0, wanted.length), wanted));
}

export function texts(page, selector) {
  return page.$$eval(selector, (elements) => elements.map((element) => element.textContent.trim()));
}

export function text(page, selector) {
  return page.$eval(selector, (element) => element.textContent.trim());
}

/** Return the text of a note. */
export function noteText(page, path) {
  return page.evaluate(async (wanted) => (await shell.files())[wanted], path);
}

export function property(note, key) {
  return new RegExp(`^${key}: (.*)$`, "m").exec(note ?? "")?.[1];
}

/** Fail if anything sticks out sideways, apart from what is cut with an ellipsis on purpose. */
export async function assertNoOverflow(page, selector) {
  const found = await page.$eval(selector, (root) => {
    const edge = root.getBoundingClientRect();
    return [...root.querySelectorAll("*")]
      .filter((element) => {
        const box = element.getBoundingClientRect();
        const hidden = box.width === 0 || element.closest(".mnemex-announcer, svg");
        return !hidden && (box.right > edge.right + 1 || box.left < edge.left - 1) && !element.closest(".mnemex-tags, .mnemex-title");
      })
      .map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`);
  });
  assert.deepEqual(found, []);
}

export const SQLITE = "Memories/Short-term/SQLite needs a WAL checkpoint before the backup.md";
export const DESK = "Memories/Short-term/Standing desk height is 108 cm.md";
