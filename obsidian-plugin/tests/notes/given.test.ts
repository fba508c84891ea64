import { expect, test } from "vitest";
import { asGiven } from "../../src/notes/given";
import { vectors } from "../vectors";

const { pairs } = vectors<{ readonly pairs: [string, string][] }>("security/given.json");

test.each(pairs)("%j was given as %j", (written, given) => {
  for (const origin of ["ai", "web", "import"]) expect(asGiven(written, origin)).toBe(given);
});

test.each(pairs)("a person's own %j is never touched", (written) => {
  for (const origin of [null, "user", "somebody"]) expect(asGiven(written, origin)).toBe(written);
});
