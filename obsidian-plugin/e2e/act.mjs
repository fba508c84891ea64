// Acts on a vault folder as a person in Obsidian would, through the built plugin, and writes it back.
//
//   node e2e/act.mjs VAULT [--now ISO] [--report FILE] ACTION=MEMORY_ID ...
//
// Actions: use, strengthen, keep, pin, unpin, promote, demote, archive, restore, and of two memories, ID+OTHER, supersede
// and allowBoth. The report, on stdout by default, is a
// list of {memory_id, path, tier, score, usage} of all memories acted on, as the plugin sees them after the last action.
import { rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { withBrowser } from "./browser.mjs";
import { readVault, writeVault } from "./vaults.mjs";

/** Do the actions in a vault folder; returns what the plugin then knows of the memories. */
export async function actOn(open, folder, actions, now) {
  const vault = await readVault(folder);
  const { page, problems, close } = await open({ vault, now });
  try {
    const report = await page.evaluate(act, actions);
    const after = await page.evaluate(() => shell.files());
    await writeVault(folder, vault.files, after, (path) => rm(path));
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return report;
  } finally {
    await close();
  }
}

// runs in the page
async function act(actions) {
  const { desk } = shell.plugin;
  for (const [action, ids] of actions) {
    const [note, other] = ids.split("+").map((id) => desk.cache.withId(id));
    if (!note) throw new Error(`no memory ${ids}`);
    const pinned = action === "pin" ? true : action === "unpin" ? false : null;
    const done = await desk.perform(note, (verbs, it) => (pinned === null ? verbs[action](it, other) : verbs.pin(it, pinned)), true);
    if (!done) throw new Error(`${action} ${ids} was refused`);
  }
  const now = desk.now();
  return [...new Set(actions.map(([, ids]) => ids.split("+")[0]))].map((id) => {
    const { memory, path, tier } = desk.cache.withId(id);
    return { memory_id: id, path, tier, now, score: desk.scoreOf(memory.usage, now), usage: memory.usage };
  });
}

function parse(argv) {
  const given = { folder: argv[0], actions: [], now: undefined, report: undefined };
  for (let index = 1; index < argv.length; index++) {
    if (argv[index] === "--now") given.now = Date.parse(argv[++index]);
    else if (argv[index] === "--report") given.report = argv[++index];
    else given.actions.push(argv[index].split("="));
  }
  if (!given.folder || given.actions.length === 0) throw new Error("usage: node e2e/act.mjs VAULT [--now ISO] [--report FILE] ACTION=MEMORY_ID ...");
  return given;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { folder, actions, now, report } = parse(process.argv.slice(2));
  await withBrowser(async (open) => {
    const text = `${JSON.stringify(await actOn(open, folder, actions, now), null, 1)}\n`;
    if (report) await writeFile(report, text);
    else process.stdout.write(text);
  });
}
