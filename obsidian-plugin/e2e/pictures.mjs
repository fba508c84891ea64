// Pictures of every view, in light and dark, on a desktop and on a phone.
import { join } from "node:path";
import { drawnVault } from "./vaults.mjs";

export const NOW = Date.UTC(2026, 7, 27, 9, 30);

const STAGING = "Memories/Short-term/Wants every staging deploy behind a feature flag, with a written rollback plan, before anything touches production.md";

export async function settle(page) {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 260)));
}

/** Take all pictures with a way to open pages. */
export async function pictures(open, folder) {
  for (const theme of ["light", "dark"]) {
    await desktop(open, folder, theme);
    await phone(open, folder, theme);
  }
}

async function desktop(open, folder, theme) {
  const { page, problems, close } = await open({ vault: drawnVault(NOW), now: NOW, theme });
  const shot = async (name) => {
    await settle(page);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  };
  await page.evaluate(async () => {
    await shell.plugin.desk.openPanel();
    await shell.plugin.desk.openDashboard();
    shell.app.workspace.leaves.find((leaf) => leaf.side).view.select("Memories/Short-term/SQLite needs a WAL checkpoint before the backup.md");
  });
  await shot("dashboard");
  await page.evaluate(() => shell.plugin.desk.openReview());
  await settle(page);
  await page.keyboard.press("s");
  await settle(page);
  await page.keyboard.press("s");
  await shot("review");
  await page.evaluate(() => shell.openPath("Memories/Short-term/Prefers TypeScript over JavaScript.md"));
  await shot("note");
  await page.evaluate(() => shell.openPath("Projects/Frontend stack.md"));
  await shot("about");
  await page.click(".mnemex-tiers button:nth-child(3)");
  await shot("archived");
  await page.click(".mnemex-tiers button:nth-child(2)");
  await shot("long-term");
  await page.click(".mnemex-tiers button:nth-child(1)");
  await page.hover(".mnemex-row:not(.mnemex-about) .tree-item-self");
  await page.click(".mnemex-row:not(.mnemex-about) .tree-item-self", { button: "right" });
  await shot("menu");
  await page.mouse.click(300, 500);
  await page.evaluate(() => {
    shell.command("explain-score");
  });
  await page.type(".mnemex-search input", "kubernets");
  await shot("nothing-found");
  report(`desktop ${theme}`, problems);
  await close();
  await empty(open, folder, theme);
}

async function empty(open, folder, theme) {
  const { page, problems, close } = await open({ vault: { files: { "Home.md": "# Home\n" } }, now: NOW, theme, size: [680, 500] });
  await page.evaluate(() => shell.plugin.desk.openPanel());
  await settle(page);
  await page.screenshot({ path: join(folder, `empty-${theme}.png`) });
  report(`empty ${theme}`, problems);
  await close();
}

async function phone(open, folder, theme) {
  const { page, problems, close } = await open({ vault: drawnVault(NOW), now: NOW, theme, size: [380, 780], phone: true, body: "only-side" });
  await page.evaluate(() => shell.plugin.desk.openPanel());
  await settle(page);
  await page.screenshot({ path: join(folder, `phone-panel-${theme}.png`) });
  await page.evaluate(async (path) => {
    document.body.className = document.body.className.replace("only-side", "no-side");
    await shell.plugin.desk.openReview();
    const view = shell.app.workspace.getLeavesOfType("mnemex-review")[0].view;
    await view.skip();
    await view.skip();
    return path;
  }, STAGING);
  await settle(page);
  await page.screenshot({ path: join(folder, `phone-review-${theme}.png`) });
  await page.evaluate(() => shell.plugin.desk.openDashboard());
  await settle(page);
  await page.screenshot({ path: join(folder, `phone-dashboard-${theme}.png`) });
  report(`phone ${theme}`, problems);
  await close();
}

function report(what, problems) {
  if (problems.length > 0) throw new Error(`${what}: ${problems.join("\n")}`);
}
