import { describe, expect, test } from "vitest";
import { bodyOf, type Changes, editFrontmatter, readFrontmatter, UnreadableNote } from "../../src/notes/frontmatter";
import { vectors } from "../vectors";

interface Edit {
  readonly name: string;
  readonly before: string;
  readonly set: Changes;
  readonly after: string | null;
}

describe("shared edits", () => {
  test.each(vectors<Edit[]>("frontmatter_edits.json"))("$name", ({ before, set, after }) => {
    if (after === null) expect(() => editFrontmatter(before, set)).toThrow(UnreadableNote);
    else expect(editFrontmatter(before, set)).toBe(after);
  });
});

test.each(["12:30", "yes", "007", "1e3", "null", "~", "- a", "a: b", "@x", "[[Link]]", "#tag", " lead", "{a}", "'", "true"])(
  "the text %j is read back as the same text",
  (value) => {
    expect(readFrontmatter(editFrontmatter("---\nmemory_id: a\n---\n", { source: value })).source).toBe(value);
  },
);

test("whatever is asked for, other keys keep their bytes", () => {
  const values = ["plain", "a: b", "", "x\ny", "[[L]]", 3, 1.5, true, ["a", "b: c"], [], null];
  const before = "---\n# mine\nmine: [ 1,  2 ]\nsource: x # c\nmemory_id: k1\ntags:\n  - a\n---\nbody\n";
  for (const source of values) {
    for (const tags of values) {
      const after = editFrontmatter(before, { source, tags });
      expect(after.startsWith("---\n# mine\nmine: [ 1,  2 ]\n")).toBe(true);
      expect(after.includes("\nmemory_id: k1\n")).toBe(true);
      expect(after.endsWith("---\nbody\n")).toBe(true);
      expect(editFrontmatter(after, { source, tags })).toBe(after);
    }
  }
});

test("a block larger than 64 KB is refused", () => {
  expect(() => readFrontmatter(`---\na: ${"x".repeat(70_000)}\n---\n`)).toThrow(UnreadableNote);
});

test("new keys go behind the blank lines that a block scalar may own", () => {
  const before = "---\nmemory_id: a\nsource: |\n  one\n\n---\n";
  expect(editFrontmatter(before, { pinned: true })).toBe("---\nmemory_id: a\nsource: |\n  one\n\npinned: true\n---\n");
});

test("a document that ends before it begins is refused", () => {
  expect(() => readFrontmatter("---\n# c\n...\n---\n")).toThrow(UnreadableNote);
});

test("the body is what stands below the block", () => {
  expect(bodyOf("---\na: 1\n---\nbody\n---\nmore")).toBe("body\n---\nmore");
  expect(bodyOf("---\na: 1\n---")).toBe("");
  expect(bodyOf("\uFEFFplain")).toBe("plain");
});
