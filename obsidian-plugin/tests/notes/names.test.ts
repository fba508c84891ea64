import { expect, test } from "vitest";
import { fileName, freeName, titleFrom } from "../../src/notes/names";

test.each([
  ["a/b: c?", "a b c"],
  ["[[x]] #1", "x 1"],
  ["con", "con note"],
  ["...", "Memory"],
  ["  .hidden. ", "hidden"],
  ["09:23 - plan?", "09 23 - plan"],
  ["e\u0301", "é"],
])("%j becomes the file name %j", (title, name) => {
  expect(fileName(title)).toBe(name);
});

test("long names are cut at a word, and never inside a letter", () => {
  expect(fileName("word ".repeat(40))).toHaveLength(59);
  expect(fileName("好".repeat(300))).toBe("好".repeat(60));
  expect(fileName("👨‍👩‍👧".repeat(80))).toBe("👨‍👩‍👧".repeat(60));
});

test("a taken name gets a number", () => {
  const taken = new Set(["a", "a 2"]);
  expect(freeName("a", (name) => taken.has(name))).toBe("a 3");
});

test.each([
  ["# Head\ntext", "Head"],
  ["I prefer tea. It is warm.", "I prefer tea"],
  ["- **Bold** [[Note|alias]] and [link](http://x.y)", "Bold alias and link"],
  ["\n\n", ""],
])("the title of %j is %j", (text, title) => {
  expect(titleFrom(text)).toBe(title);
});
