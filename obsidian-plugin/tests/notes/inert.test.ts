import { expect, test } from "vitest";
import { asGiven } from "../../src/notes/given";
import { inert } from "../../src/notes/inert";
import { vectors } from "../vectors";

const SHARED = vectors<{ readonly text: string; readonly inert: string }[]>("inert.json");

test.each(SHARED)("the server makes the same of $text", ({ text, inert: wanted }) => {
  expect(inert(text)).toBe(wanted);
});

test.each(SHARED)("$text comes back as it was given", ({ text }) => {
  expect(asGiven(inert(text), "ai")).toBe(text);
});

test("a text of a hundred thousand signs is looked at once", () => {
  for (const sign of ["`", "~", "<", "&", "](", "j", "\\"]) expect(inert(sign.repeat(100_000)).length).toBeGreaterThan(0);
});
