import { expect, test } from "vitest";
import { isConflictCopy } from "../../src/notes/copies";
import { fileStem, nameKey, titleFrom, titleOf, uniqueStem } from "../../src/notes/names";
import { vectors } from "../vectors";

const SHARED = vectors<{ readonly title: string; readonly stem: string; readonly copy: boolean }[]>("names.json");

test.each(SHARED)("$title gets the name that the server gives it", ({ title, stem, copy }) => {
  expect(fileStem(title)).toBe(stem);
  expect(isConflictCopy(`Work/${title}.md`)).toBe(copy);
});

// what the Python side makes of the same titles
test.each([
  ["Meeting 09:23: plan A/B?", "Meeting 09-23 - plan A-B"],
  ["  ", "Untitled"],
  ["con", "Note con"],
  ["[[x]] #1", "x 1"],
  ["...", "Untitled"],
  ["  .hidden. ", "hidden"],
  ['say "hi"', "say 'hi'"],
  ["100%% sure", "100% sure"],
  ["Report.md", "Report"],
  ["e\u0301", "é"],
])("%j becomes the file name %j", (title, name) => {
  expect(fileStem(title)).toBe(name);
});

test("long names are cut at a word, and never inside a letter", () => {
  expect(fileStem("word ".repeat(40))).toBe("word ".repeat(12).trim());
  expect(fileStem("好".repeat(300))).toBe("好".repeat(60));
  expect(fileStem("👨‍👩‍👧".repeat(80))).toBe("👨‍👩‍👧".repeat(10));
});

test("a taken name gets a number, whatever its case and normal form", () => {
  const taken = new Set(["ÉTUDE", "étude 2"].map(nameKey));
  expect(uniqueStem("E\u0301tude", (key) => taken.has(key))).toBe("Étude 3");
});

test("the title is the alias from which the file name was made", () => {
  expect(titleOf("Kiezkarte - who decides what", ["Kiezkarte: who decides what"])).toBe("Kiezkarte: who decides what");
  expect(titleOf("Plan 2", ["Plan"])).toBe("Plan");
  expect(titleOf("Standing desk", ["Bureau"])).toBe("Standing desk");
});

test.each([
  ["# Head\ntext", "Head"],
  ["I prefer tea. It is warm.", "I prefer tea"],
  ["- **Bold** [[Note|alias]] and [link](http://x.y)", "Bold alias and link"],
  ["\n\n", ""],
])("the title of %j is %j", (text, title) => {
  expect(titleFrom(text)).toBe(title);
});
