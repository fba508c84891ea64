import { expect, test } from "vitest";
import { draftOf, written } from "../../src/notes/draft";
import { withBody } from "../../src/notes/frontmatter";

test.each([
  ["Old.\n", "New.", "New.\n"],
  ["\nOld.\r\nMore.\r\n\r\n", "New.\nMore.", "\nNew.\r\nMore.\r\n\r\n"],
  ["Old.", "New.", "New.\n"],
  ["", "New.", "New.\n"],
  ["\n\n", "New.", "New.\n"],
  ["Old.\n", " \n", ""],
])("%j changed to %j is written as %j", (seen, typed, expected) => {
  expect(written(draftOf(seen), typed)).toBe(expected);
});

test("a text opened and saved as it is stays byte for byte", () => {
  for (const seen of ["A\n\nB\n", "\r\n\r\nA\r\nB", "  indented\n"]) {
    const draft = draftOf(seen);
    expect(written(draft, draft.shown).trim()).toBe(seen.trim());
  }
});

test.each([["---\na: 1\n---\nBody\n"], ["Body\n"], ["\uFEFFBody\n"], ["---\na: 1\n---"]])("a new text leaves what stands above: %j", (text) => {
  expect(withBody(text, "New\n")).toBe(`${text.replace(/Body\n$/, "")}New\n`);
});
