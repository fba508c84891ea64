// Vaults to click through: a folder on disk, one made to look like the drawing, and a large one.
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const DAY = 86_400_000;
const ALPHA = 1.1;
const TIME_SCALE = 3 / (2 ** (1 / ALPHA) - 1);
const FORGET = 0.05;

/** Read all notes of a folder, with the times of their files. */
export async function readVault(folder) {
  const files = {};
  const stats = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split("\\").join("/");
    if (!entry.isFile() || name.split("/").some((part) => part.startsWith(".")) || !name.endsWith(".md")) continue;
    files[name] = await readFile(path, "utf8");
    stats[name] = (await stat(path)).mtimeMs;
  }
  return { files, stats };
}

/** Write back what changed; returns the paths that were written or removed. */
export async function writeVault(folder, before, after, remove) {
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  for (const path of changed) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), after[path]);
  }
  const gone = Object.keys(before).filter((path) => !(path in after));
  for (const path of gone) await remove(join(folder, path));
  return [...changed, ...gone];
}

function stamp(at) {
  return new Date(at).toISOString().slice(0, 19);
}

function note({ id, tags = [], uses = 1, strength = 1, created, used, pinned = false, promoted, body = "", extra = "" }) {
  const tagLines = tags.length > 0 ? `tags:\n${tags.map((tag) => `  - ${tag}\n`).join("")}` : "";
  const promotedLine = promoted ? `promoted: ${stamp(promoted)}\n` : "";
  return (
    `---\n${tagLines}${extra}origin: ai\npinned: ${pinned}\ncreated: ${stamp(created)}\nlast_used: ${stamp(used)}\n` +
    `use_count: ${uses}\ndays_used: ${Math.min(uses, 3)}\nstrength: ${strength}\n${promotedLine}memory_id: ${id}\n---\n${body}\n`
  );
}

// the peak and the age of a memory that has this score now and fades in so many days
function factsFor(score, days, uses) {
  const root = days / (TIME_SCALE * (FORGET ** (-1 / ALPHA) - score ** (-1 / ALPHA)));
  const peak = root ** ALPHA;
  const age = TIME_SCALE * ((peak / score) ** (1 / ALPHA) - 1);
  return { strength: Number((peak / uses ** 0.6).toFixed(6)), age };
}

const SHORT_TERM = [
  ["Lisbon offsite quote is valid until Friday", 0.054, 3.2, 1, ["travel"]],
  ["打ち合わせは水曜日の午後に変更、資料は前日までに共有する", 0.062, 9.2, 2, ["会議"]],
  ["Wants every staging deploy behind a feature flag, with a written rollback plan, before anything touches production", 0.067, 12.2, 2, ["deploys", "preferences"]],
  ["客户演示改到九月第一周", 0.163, 18.2, 1, ["project/aurora"]],
  ["يفضّل الاجتماعات القصيرة في الصباح وعدم حجز يوم الخميس", 0.24, 21.2, 1, ["preferences"]],
  ["Standing desk height is 108 cm", 0.22, 22.2, 1, ["home"]],
  ["Maria joins the data team in October", 0.27, 26.2, 1, ["people"]],
  ["SQLite needs a WAL checkpoint before the backup", 0.18, 47.2, 3, ["sqlite", "backup"]],
  ["Prefers TypeScript over JavaScript", 0.42, 107, 5, ["preferences", "typescript"]],
  ["Invoices go out on the first working day of the month", 1.14, 72, 5, ["admin"]],
  ["CI cache key includes the lockfile hash", 1.38, 105, 6, ["ci"]],
  ["TypeScript の strict を必ず有効にする", 0.45, 63, 4, ["typescript"]],
  ["Release notes are written in the present tense and never mention internal ticket numbers", 1.02, 80, 4, ["writing"]],
];

const STAGING_BODY =
  "Asked twice for the same thing while planning [[Aurora rollout]]: staging first, behind a flag, and nobody merges until " +
  "the rollback steps are written in the ticket.\n\n- Flag names start with `rel-`\n- Rollback plan names a person, not a team";

/** A vault like the one of the drawing, with long, Chinese, Japanese, Arabic, Hebrew and hostile titles. */
export function drawnVault(now) {
  const files = { "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\n---\n" };
  const stats = {};
  const add = (path, text, at = now - 20 * DAY) => {
    files[path] = text;
    stats[path] = at;
  };
  SHORT_TERM.forEach(([title, score, days, uses, tags], index) => {
    const { strength, age } = factsFor(score, days, uses);
    const used = now - age * DAY;
    const body = index === 2 ? STAGING_BODY : `${title}.`;
    const extra = index === 8 || index === 11 ? 'entities:\n  - "[[Frontend stack]]"\n' : "";
    add(`Memories/Short-term/${title}.md`, note({ id: `short${index}`, tags, uses, strength, created: used - 12 * DAY, used, body, extra }));
  });
  addMany(add, now);
  addHostile(add, now);
  add("Projects/Frontend stack.md", "# Frontend stack\n\nSvelte, and TypeScript with strict mode.\n");
  add("Projects/Aurora rollout.md", "Staging first.\n");
  return { files, stats };
}

function addMany(add, now) {
  for (let index = 0; index < 46; index++) {
    const used = now - (0.2 + (index % 11) * 0.6) * DAY;
    const uses = 2 + (index % 4);
    add(`Memories/Short-term/Fact number ${index + 1} of the rollout.md`, note({ id: `fact${index}`, tags: ["rollout"], uses, strength: 0.8 + (index % 6) * 0.1, created: used - 9 * DAY, used, body: "A fact." }));
  }
  add("Memories/Short-term/Emergency contact is Noa, not Daniel.md", note({ id: "pinned1", tags: ["people"], uses: 3, strength: 1.5, created: now - 90 * DAY, used: now - 60 * DAY, pinned: true, body: "Noa." }));
  add("Memories/Short-term/Never suggest peanut recipes.md", note({ id: "pinned2", tags: ["health"], uses: 4, strength: 1.32, created: now - 80 * DAY, used: now - 50 * DAY, pinned: true, body: "Allergy." }));
  add("Memories/Long-term/Frontend stack is Svelte, TypeScript and Vite.md", note({ id: "long1", tags: ["typescript"], uses: 6, created: now - 90 * DAY, used: now - 2 * DAY, promoted: now - 1.2 * DAY, body: "See [[Frontend stack]].", extra: 'entities:\n  - "[[Frontend stack]]"\n' }));
  for (let index = 0; index < 8; index++) {
    const used = now - (5 + index) * DAY;
    add(`Memories/Long-term/Lasting decision ${index + 1}.md`, note({ id: `last${index}`, tags: ["decisions"], uses: 5 + index, created: used - 60 * DAY, used, promoted: now - (18 + index) * DAY, body: "Decided." }));
  }
  const archived = [["Old VPN endpoint, replaced in March", 1], ["פגישת הסיכום הועברה ליום ראשון", 2.3], ["先週の定例の議事録の置き場所", 3.1], ["Parking code for the Berlin office", 40], ["Conference badge pickup opens at 08:00", 41], ["Temporary API key rotation note", 75]];
  archived.forEach(([title, days], index) => {
    const used = now - (days + (index % 2 === 0 ? 48.6 : 80)) * DAY;
    add(`Memories/Archive/2026/${title.replace(":", "")}.md`, note({ id: `gone${index}`, created: used - DAY, used, body: "Gone." }), now - days * DAY);
  });
}

const TALKS = {
  "frontend planning": [
    ["Wants dark mode before the beta", "Dark mode has to be there before the beta, people asked for it twice.", 0.03],
    ["Zoë reviews every change of the map component", "Zoë reviews every change of the map component.", 0.05],
    ["The map is drawn with MapLibre, not Leaflet", "The map is drawn with MapLibre, since the tiles are vectors.", 0.06],
  ],
  "moving house": [
    ["The new flat is in Görlitzer Straße 12", "The new flat is in Görlitzer Straße 12, third floor.", 1.2],
    ["Keys are handed over on 1 September", "Keys are handed over on 1 September at ten.", 1.21],
    ["العنوان الجديد قريب من الحديقة", "العنوان الجديد قريب من الحديقة، والموعد في الصباح.", 1.22],
  ],
  "how we work": [
    ["Prefers short answers without a summary", "I prefer short answers, and no summary at the end.", 3.1],
    ["打ち合わせは午後がよい", "打ち合わせは午後がよい。午前は集中する時間。", 3.15],
  ],
};

/** A vault in which assistants saved and used things on some days, read for the first time after a look 2 days ago. */
export function learntVault(now) {
  const files = { "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\n---\n", "2026-08-26.md": "# Wednesday\n", "People/Zoë.md": "Zoë.\n" };
  let count = 0;
  for (const [session, facts] of Object.entries(TALKS)) {
    for (const [title, body, days] of facts) {
      const created = now - days * DAY;
      const extra = `session: ${session}\n`;
      files[`Memories/Short-term/${title}.md`] = note({ id: `learnt${++count}`, tags: ["talk"], created, used: created, body, extra });
    }
  }
  files["Memories/Long-term/Tests run with make check.md"] = note({ id: "used1", tags: ["ci"], uses: 7, created: now - 60 * DAY, used: now - 0.045 * DAY, promoted: now - 20 * DAY, body: "Tests run with `make check`." });
  const device = { "mnemex-vault-last-look": { at: now - 2 * DAY, since: now - 16 * DAY, seen: ["learnt7 saved " + (now - 3.1 * DAY), "learnt8 saved " + (now - 3.15 * DAY)] } };
  return { files, stats: {}, device };
}

/** A vault that knows a person: preferences, projects, people, places. */
export function profileVault(now) {
  const files = { "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\n---\n", "People/Zoë.md": "Zoë.\n", "Places/Berlin.md": "Berlin.\n" };
  const add = (title, days, { tags = [], entities = [], uses = 1, pinned = false, extra = "" } = {}) => {
    const used = now - days * DAY;
    const names = entities.length > 0 ? `entities:\n${entities.map((name) => `  - "[[${name}]]"\n`).join("")}` : "";
    const id = `known${Object.keys(files).length}`;
    files[`Memories/Short-term/${title}.md`] = note({ id, tags, uses, pinned, created: used, used, body: `${title}.`, extra: names + extra });
  };
  add("Wants short answers without a summary", 2, { tags: ["preferences"], uses: 4, extra: "source: conversation\nsession: how we work\n" });
  add("Never suggest peanut recipes", 30, { tags: ["preferences"], pinned: true });
  add("Tests run with make check", 9, { tags: ["project/Kiezkarte"] });
  add("The map is drawn with MapLibre", 1, { tags: ["project/Kiezkarte"], entities: ["MapLibre"], uses: 3 });
  add("Zoë reviews every change of the map component", 3, { entities: ["Zoë"] });
  add("Zoë does not eat cheese", 12, { entities: ["Zoë"], uses: 2 });
  add("The office in Berlin closes at six", 6, { entities: ["Berlin"] });
  return { files, stats: {} };
}

/** A vault with two conflicts and more that is due than one day's review holds. */
export function conflictVault(now) {
  const files = { "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\n---\n" };
  const add = (title, id, days, extra = "", uses = 1) => {
    const used = now - days * DAY;
    files[`Memories/Short-term/${title}.md`] = note({ id, uses, created: used, used, body: `${title}.`, extra: `${extra}session: planning\n` });
  };
  add("The office is in Bergen", "office1", 5);
  add("The office is in Gdańsk", "office2", 1, 'contradicts:\n  - "[[The office is in Bergen]]"\n');
  add("Lunch is at noon", "lunch1", 6);
  add("Lunch is at half past twelve", "lunch2", 2);
  // of those that nobody marked the server tells in its note
  const boxes = ["supersede:lunch2+lunch1", "supersede:lunch1+lunch2", "keep-both:lunch2+lunch1"].map((asked) => `    - [ ] That one %%mnemex:${asked}%%\n`);
  files["Memories/Review.md"] = `---\nmnemex: review\n---\n%%mnemex:begin%%\n## Which is true?\n\n- Lunch %%mnemex:about:lunch2+lunch1%%\n${boxes.join("")}%%mnemex:end%%\n`;
  for (let index = 1; index <= 8; index++) add(`Fading fact ${index}`, `fade${index}`, 45 - index / 10);
  return { files, stats: {} };
}

// what a title must never become
export const HOSTILE_TITLE = "<img src=x onerror=alert(1)>";

function addHostile(add, now) {
  const used = now - 26 * DAY;
  const body = "![[Secret]] ![x](https://example.org/track.png) <img src=x onerror=\"window.hacked = true\"><script>window.hacked = true</script>\n\n```dataviewjs\nwindow.hacked = true\n```";
  add(`Memories/Short-term/${HOSTILE_TITLE}.md`, note({ id: "hostile1", tags: ["<b>bold</b>"], created: used, used, body }));
}

/** A vault of `count` memories. */
export function largeVault(count, now) {
  const files = { "Memories/Settings.md": "---\nmnemex: settings\ntimezone: Europe/Berlin\n---\n" };
  for (let index = 0; index < count; index++) {
    const used = now - (index % 400) * 0.11 * DAY;
    const tier = index % 10 === 0 ? "Archive/2026" : index % 10 === 1 ? "Long-term" : "Short-term";
    files[`Memories/${tier}/Memory number ${index}.md`] = note({ id: `m${index}`, tags: [`tag${index % 50}`, "all"], uses: 1 + (index % 7), created: used - DAY, used, body: `Body ${index}.` });
  }
  return { files, stats: {} };
}
