import { expect, test } from "vitest";
import { readFrontmatter, UnreadableNote } from "../../src/notes/frontmatter";
import { ChangeRefused } from "../../src/obsidian/note-files";
import { noteText } from "../notes_of";
import { openVault, type TestVault } from "./vault";

const A = "Memories/Short-term/A.md";

test("a use counts, renews the projection and leaves every other byte", async () => {
  const vault = openVault({ [A]: noteText({ use_count: 3, days_used: 2 }) });
  await vault.actions.use(vault.note(A));
  const expected = noteText({ use_count: 4, days_used: 3, last_used: "2026-11-30T09:00:00", fades_on: "2027-03-17" });
  expect(await vault.text(A)).toBe(expected);
});

test("strengthening adds a tenth, written without binary noise", async () => {
  const vault = openVault({ [A]: noteText({ strength: 1.2 }) });
  await vault.actions.strengthen(vault.note(A));
  expect(await vault.text(A)).toContain("\nstrength: 1.3\n");
});

test("a key that the vault types as a date is written as one", async () => {
  const vault = openVault({ [A]: noteText({ last_used: "2026-11-20" }) });
  await vault.app.vault.adapter.write(`${vault.app.vault.configDir}/types.json`, '{"types": {"last_used": "date", "created": "datetime"}}');
  await vault.actions.use(vault.note(A));
  expect(await vault.text(A)).toContain("\nlast_used: 2026-11-30\n");
});

test("keeping is a use and a review", async () => {
  const vault = openVault({ [A]: noteText() });
  await vault.actions.keep(vault.note(A));
  const { use_count, review_count, last_review } = readFrontmatter(await vault.text(A));
  expect({ use_count, review_count, last_review }).toEqual({ use_count: 2, review_count: 1, last_review: "2026-11-30T09:00:00" });
});

test("pinning takes the projection away, unpinning gives it back", async () => {
  const vault = openVault({ [A]: noteText() });
  await vault.actions.pin(vault.note(A), true);
  expect(readFrontmatter(await vault.text(A))).toMatchObject({ pinned: true });
  expect(await vault.text(A)).not.toContain("fades_on");
  await vault.actions.pin(vault.note(A), false);
  expect(readFrontmatter(await vault.text(A))).toMatchObject({ pinned: false, fades_on: "2027-01-08" });
});

test("promotion moves the note under its name, and demotion moves it back", async () => {
  const vault = openVault({ [A]: noteText() });
  await vault.actions.promote(vault.note(A));
  const long = await vault.text("Memories/Long-term/A.md");
  expect(long).toContain("promoted: 2026-11-30T09:00:00");
  expect(long).not.toContain("fades_on");
  await vault.actions.demote(vault.note("Memories/Long-term/A.md"));
  expect(await vault.text(A)).toContain("fades_on: 2027-01-08");
  expect(await vault.text(A)).toContain("promoted: 2026-11-30T09:00:00");
});

test("what is let go lies in the archive of the year, and comes back used", async () => {
  const vault = openVault({ "Memories/Short-term/Sub/A.md": noteText() });
  await vault.actions.archive(vault.note("Memories/Short-term/Sub/A.md"));
  const archived = "Memories/Archive/2026/A.md";
  expect(await vault.text(archived)).not.toContain("fades_on");
  await vault.actions.restore(vault.note(archived));
  expect(readFrontmatter(await vault.text("Memories/Short-term/Sub/A.md"))).toMatchObject({ use_count: 2 });
});

test("a taken name is numbered, never overwritten", async () => {
  const vault = openVault({ [A]: noteText(), "Memories/Long-term/a.md": noteText({ memory_id: "other" }) });
  await vault.actions.promote(vault.note(A));
  expect(vault.paths()).toContain("Memories/Long-term/A 2.md");
});

test("a new memory gets a name that no note or alias has", async () => {
  const vault = openVault({ "Notes/Tea.md": "---\naliases: [I like tea]\n---\n" });
  await vault.actions.remember({ content: "I like tea: green.", title: "I like tea", tags: ["food"], source: "[[Tea]]" });
  const text = await vault.text("Memories/Short-term/I like tea 2.md");
  expect(readFrontmatter(text)).toMatchObject({ tags: ["food"], source: "[[Tea]]", use_count: 1, pinned: false });
  expect(text.endsWith("---\nI like tea: green.\n")).toBe(true);
});

test("an adopted note keeps its own values", async () => {
  const vault = openVault({ "Projects/Plan.md": "---\ncreated: 2020-01-01\nstrength: 1.5\n---\nText\n" });
  await vault.actions.adopt("Projects/Plan.md", "Plan");
  const properties = readFrontmatter(await vault.text("Projects/Plan.md"));
  expect(properties).toMatchObject({ created: "2020-01-01", strength: 1.5, use_count: 1 });
  expect("pinned" in properties || "fades_on" in properties).toBe(false);
  expect(vault.note("Projects/Plan.md").tier).toBe("long-term");
});

test.each([
  ["a memory", noteText()],
  ["the settings note", "---\nmnemex: settings\n---\n"],
  ["a board", "---\nkanban-plugin: basic\n---\n"],
  ["a private note", "---\ntags: [private]\n---\n"],
])("%s is not adopted", async (_name, text) => {
  const vault = openVault({ "X.md": text });
  await expect(vault.actions.adopt("X.md", "X")).rejects.toThrow(ChangeRefused);
  expect(await vault.text("X.md")).toBe(text);
});

test("a note that became unreadable is left as it is", async () => {
  const vault = openVault({ [A]: noteText() });
  const note = vault.note(A);
  const broken = '---\na: "x\n---\n';
  await vault.app.vault.adapter.write(A, broken);
  await expect(vault.actions.use(note)).rejects.toThrow(UnreadableNote);
  expect(await vault.text(A)).toBe(broken);
});

test("a move that fails takes the edit back", async () => {
  const vault = openVault({ [A]: noteText() });
  vault.app.fileManager.renameFile = () => Promise.reject(new Error("disk full"));
  await expect(vault.actions.promote(vault.note(A))).rejects.toThrow("disk full");
  expect(await vault.text(A)).toBe(noteText());
});

test("keeping counts once a day", async () => {
  const vault = openVault({ [A]: noteText() });
  await vault.actions.keep(vault.note(A));
  const kept = await vault.text(A);
  await expect(vault.actions.keep(vault.note(A))).rejects.toThrow(ChangeRefused);
  expect(await vault.text(A)).toBe(kept);
});

test("a text is changed in place, and that of a stranger stays inert", async () => {
  const vault = openVault({ [A]: noteText({ origin: "ai" }, "Old \u2060\u2060 text.\n") });
  const head = (await vault.text(A)).split("Old")[0];
  await vault.actions.edit(vault.note(A), "Old \u2060 text.\n", "New ![[Secret]]\n");
  expect(await vault.text(A)).toBe(`${head}New !\u2060[[Secret]]\n`);
});

test("a text that somebody changed meanwhile, an empty one and another memory's are not written", async () => {
  const vault = openVault({ [A]: noteText() });
  const before = await vault.text(A);
  const note = vault.note(A);
  await expect(vault.actions.edit(note, "What stood here.\n", "Mine.\n")).rejects.toThrow("changed meanwhile");
  await expect(vault.actions.edit(note, "Body.\n", " ")).rejects.toThrow("needs a text");
  await expect(vault.actions.edit({ ...note, memory: { ...note.memory, id: "other" } }, "Body.\n", "Mine.\n")).rejects.toThrow(ChangeRefused);
  expect(await vault.text(A)).toBe(before);
});

test("what is not true any more is archived, and its successor takes over what it is about and its uses", async () => {
  const vault = openVault({ [A]: noteText({ use_count: 4, days_used: 3, tags: "[home]", project: "Flat", entities: '["[[Berlin]]"]' }) });
  const note = vault.note(A);
  const { to } = await vault.actions.outdate(note);
  expect(to).toBe("Memories/Archive/2026/A.md");
  await vault.actions.remember({ content: "Now B.", title: "Now B", replaces: { note, stem: "A" } });
  expect(readFrontmatter(await vault.text("Memories/Short-term/Now B.md"))).toMatchObject({
    tags: ["home"], project: "Flat", entities: ["[[Berlin]]"], supersedes: ["[[A]]"], use_count: 4, days_used: 3,
  });
});

test("of two memories one takes the other's place with its uses, or both are true; each is undone", async () => {
  const B = "Memories/Short-term/B.md";
  const files = { [A]: noteText({ use_count: 4, days_used: 3 }), [B]: noteText({ memory_id: "b", use_count: 2 }), "Elsewhere/a.md": "A namesake.\n" };
  const vault = openVault(files);
  const settled = await vault.actions.supersede(vault.note(B), vault.note(A));
  expect(readFrontmatter(await vault.text(B))).toMatchObject({ supersedes: ["[[Memories/Short-term/A]]"], use_count: 5, days_used: 3 });
  await vault.undo.undo(settled);
  expect(await vault.text(B)).toBe(files[B]);
  await vault.actions.allowBoth(vault.note(A), vault.note(B));
  const both = await vault.actions.allowBoth(vault.note(A), vault.note(B));
  expect(readFrontmatter(await vault.text(A))).toMatchObject({ both_true: ["[[B]]"], use_count: 4 });
  expect(both.verb).toBe("both true");
});

test.each([
  ["a standing fact makes what replaces it one", {}, "safety"],
  ["what has a kind of its own keeps it", { kind: "rule" }, "rule"],
  ["what comes from strangers has none that nobody gave it", { origin: "web" }, undefined],
])("%s", async (_, properties, kind) => {
  const B = "Memories/Short-term/B.md";
  const vault = openVault({ [A]: noteText({ kind: "safety" }), [B]: noteText({ memory_id: "b", ...properties }) });
  await vault.actions.supersede(vault.note(B), vault.note(A));
  expect(readFrontmatter(await vault.text(B)).kind).toBe(kind);
});

test("what stands in a relation already keeps its spelling", async () => {
  const vault = openVault({ [A]: noteText({ both_true: '["[[C|an alias]]"]' }), "Memories/Short-term/B.md": noteText({ memory_id: "b" }) });
  await vault.actions.allowBoth(vault.note(A), vault.note("Memories/Short-term/B.md"));
  expect(readFrontmatter(await vault.text(A))).toMatchObject({ both_true: ["[[C|an alias]]", "[[B]]"] });
  const nested = openVault({ [A]: noteText({ both_true: "[[C]]" }), "Memories/Short-term/B.md": noteText({ memory_id: "b" }) });
  await nested.actions.allowBoth(nested.note(A), nested.note("Memories/Short-term/B.md"));
  expect(readFrontmatter(await nested.text(A))).toMatchObject({ both_true: ["[[C]]", "[[B]]"] });
});

const STRANGE = { origin: "web" };
const YES = "approved: 2026-11-30T09:00:00";

test.each([
  ["keeping", (vault: TestVault) => vault.actions.keep(vault.note(A)), true],
  ["pinning", (vault: TestVault) => vault.actions.pin(vault.note(A), true), true],
  ["promoting", (vault: TestVault) => vault.actions.promote(vault.note(A)), true],
  ["mending the text", (vault: TestVault) => vault.actions.edit(vault.note(A), "Body.\n", "Mine.\n"), true],
  ["a plain yes", (vault: TestVault) => vault.actions.approve(vault.note(A)), true],
  ["using", (vault: TestVault) => vault.actions.use(vault.note(A)), false],
  ["unpinning", (vault: TestVault) => vault.actions.pin(vault.note(A), false), false],
])("%s says yes to a stranger's memory: %j, and undo takes it back", async (_name, act, says) => {
  const before = noteText(STRANGE);
  for (const restarted of [false, true]) {
    const vault = openVault({ [A]: before });
    const change = await act(vault);
    const text = await vault.text(change.to);
    expect(text.includes(YES)).toBe(says);
    if (restarted) vault.journal.restore(JSON.parse(JSON.stringify(vault.stored())), change.at);
    await vault.undo.undo(change);
    expect(readFrontmatter(await vault.text(A))).toEqual(readFrontmatter(before));
    await vault.undo.redo(change);
    expect((await vault.text(change.to)).includes(YES)).toBe(says);
  }
});

test("a yes is written once, and to nobody who was trusted", async () => {
  const trusted = openVault({ [A]: noteText({ ...STRANGE, approved: "2026-11-01T08:00:00" }) });
  await trusted.actions.pin(trusted.note(A), true);
  expect(await trusted.text(A)).toContain("approved: 2026-11-01T08:00:00");
  for (const origin of ["ai", "import", "user"]) {
    const vault = openVault({ [A]: noteText({ origin }) });
    await vault.actions.keep(vault.note(A));
    expect(await vault.text(A)).not.toContain("approved");
  }
  const strict = openVault({ [A]: noteText({ origin: "ai" }), "Memories/Settings.md": "---\nmnemex: settings\ntimezone: UTC\napprove: ai\n---\n" });
  await strict.actions.keep(strict.note(A));
  expect(await strict.text(A)).toContain(YES);
});

test("a memory that was kept today can still be said yes to", async () => {
  const vault = openVault({ [A]: noteText({ ...STRANGE, review_count: 1, last_review: "2026-11-30T08:00:00" }) });
  const { verb } = await vault.actions.keep(vault.note(A));
  expect(verb).toBe("approved");
  expect(readFrontmatter(await vault.text(A))).toMatchObject({ review_count: 1, use_count: 1, approved: "2026-11-30T09:00:00" });
});

test("what a link brought is the web's, and does not act", async () => {
  const vault = openVault({});
  await vault.actions.remember({ content: "See ![x](https://example.org) <%tp%>", title: "<b>See</b> ![[x]]", origin: "web" });
  const [path = ""] = vault.paths().filter((it) => it.includes("Short-term"));
  const text = await vault.text(path);
  expect(readFrontmatter(text)).toMatchObject({ origin: "web" });
  expect(text).toContain("See !\u2060[x](https://example.org) <\u2060%tp%>");
  expect(vault.note(path).memory.title).toBe("<b>See</b> ![[x]]");
});
