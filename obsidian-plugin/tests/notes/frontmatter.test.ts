import { describe, expect, test } from "vitest";
import { bodyOf, readProperties, setProperties, UnreadableNote } from "../../src/notes/frontmatter";
import { OWN_KEYS } from "../../src/notes/note";
import { hasVectors, noteVectors, vectors } from "../vectors";

const set = (text: string, changes: Parameters<typeof setProperties>[1]): string =>
  setProperties(text, changes, OWN_KEYS);

test("only the line of the property changes", () => {
  const before = '---\n# mine\ntags: [ "a",  b ]\nuse_count: 3 # three\nfold: >-\n  one\n  two\n---\nbody  \n\n---\nend';
  expect(set(before, { use_count: 4 })).toBe(before.replace("use_count: 3", "use_count: 4"));
});

test("line endings, BOM and a fence at the end of the file are kept", () => {
  expect(set("\uFEFF---\r\nuse_count: 1\r\n---\r\nbody\r\n", { use_count: 2, days_used: 2 })).toBe(
    "\uFEFF---\r\nuse_count: 2\r\ndays_used: 2\r\n---\r\nbody\r\n",
  );
  expect(set("---\nuse_count: 1\n---", { use_count: 2 })).toBe("---\nuse_count: 2\n---");
});

test("a new property goes to the end of our run of lines", () => {
  const before = "---\ntitle: x\nuse_count: 1\nmemory_id: abc\nrating: 5\n---\n";
  expect(set(before, { days_used: 2 })).toBe(
    "---\ntitle: x\nuse_count: 1\nmemory_id: abc\ndays_used: 2\nrating: 5\n---\n",
  );
});

test("a property without a value gets one, and a removed one takes its lines along", () => {
  expect(set("---\nlast_used:\nb: 1\n---\n", { last_used: "2026-11-29T10:00:00" })).toBe(
    "---\nlast_used: 2026-11-29T10:00:00\nb: 1\n---\n",
  );
  expect(set("---\naliases:\n  - a\n  - b\nb: 1\n---\n", { aliases: null })).toBe("---\nb: 1\n---\n");
  expect(set("---\nb: 1\n---\n", { fades_on: null })).toBe("---\nb: 1\n---\n");
});

test("a block list stays a block list and a flow list a flow list", () => {
  expect(set("---\ntags:\n  - a\nb: 1\n---\n", { tags: ["a", "[[x]]"] })).toBe(
    '---\ntags:\n  - a\n  - "[[x]]"\nb: 1\n---\n',
  );
  expect(set('---\ntags: ["a"]\n---\n', { tags: ["a", "b, c"] })).toBe('---\ntags: [a, "b, c"]\n---\n');
});

test("nothing in a text breaks out of its line", () => {
  const text = set("---\nmemory_id: a\n---\n", { source: 'x\n---\ny: "z" # no' });
  expect(readProperties(text)).toMatchObject({ source: 'x --- y: "z" # no' });
  expect(text.split("\n")).toHaveLength(5);
});

test.each(["12:30", "yes", "007", "1e3", "null", "~", "- a", "a: b", "@x", "[[Link]]", "#tag", " lead", "{a}", "'", "true"])(
  "the text %j is read back as the same text",
  (value) => {
    expect(readProperties(set("---\nmemory_id: a\n---\n", { source: value })).source).toBe(value);
  },
);

test("YAML is read as version 1.2", () => {
  const text = "---\nseen: yes\ntime: 14:33\ndate: 2026-01-02\noct: 010\nempty:\n---\n";
  expect(readProperties(text)).toEqual({ seen: "yes", time: "14:33", date: "2026-01-02", oct: 10, empty: null });
});

test.each([
  ["an unclosed block", "---\na: 1\nbody"],
  ["a closing line with text", "---\na: 1\n--- x\nbody"],
  ["a duplicate key", "---\nid: a\nid: b\n---\n"],
  ["broken YAML", '---\na: "unterminated\nkeep: yes\n---\nBody'],
  ["a reserved sign", "---\naliases:\n- @x\n---\n"],
  ["a list at the top", "---\n- a\n---\n"],
  ["JSON", '---\n{"a": 1}\n---\n'],
  ["an anchor", "---\na: &x 1\nb: *x\n---\n"],
  ["a tag", "---\na: !!str 1\n---\n"],
  ["a merge conflict", "---\n<<<<<<< HEAD\nstatus: a\n=======\nstatus: b\n>>>>>>> other\n---\n"],
  ["too much", `---\na: ${"x".repeat(70_000)}\n---\n`],
])("%s is refused and left alone", (_name, text) => {
  expect(() => set(text, { use_count: 2 })).toThrow(UnreadableNote);
});

test("a note without frontmatter gets a block above its text", () => {
  expect(set("body\n", { memory_id: "k1" })).toBe("---\nmemory_id: k1\n---\nbody\n");
});

test("the body is what stands below the block", () => {
  expect(bodyOf("---\na: 1\n---\nbody\n---\nmore")).toBe("body\n---\nmore");
  expect(bodyOf("---\na: 1\n---")).toBe("");
  expect(bodyOf("\uFEFFplain")).toBe("plain");
});

describe.runIf(hasVectors("frontmatter_edits.json"))("shared edits", () => {
  interface Edit {
    readonly name: string;
    readonly before: string;
    readonly set: Parameters<typeof setProperties>[1];
    readonly after: string | null;
  }
  const edits = hasVectors("frontmatter_edits.json") ? vectors<Edit[]>("frontmatter_edits.json") : [];
  test.each(edits)("$name", ({ before, set: changes, after }) => {
    if (after === null) expect(() => set(before, changes)).toThrow(UnreadableNote);
    else expect(set(before, changes)).toBe(after);
  });
});

describe.runIf(hasVectors("notes"))("shared notes", () => {
  test.each(hasVectors("notes") ? noteVectors() : [])("$name", ({ text, expected }) => {
    if (expected.readable === false) expect(() => readProperties(text)).toThrow(UnreadableNote);
    else expect(readProperties(text)).toEqual(expected.values);
  });
});
