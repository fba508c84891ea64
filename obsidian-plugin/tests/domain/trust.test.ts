import { expect, test } from "vitest";
import { type Approve, isWaiting, waits } from "../../src/domain/trust";
import { memoryNote, NOW } from "../notes_of";
import { vectors } from "../vectors";

interface TrustVector {
  readonly origin: string | null;
  readonly approved: boolean;
  readonly approve: Approve;
  readonly waits: boolean;
}

test.each(vectors<TrustVector[]>("trust.json"))("$origin, approved: $approved, under $approve", ({ origin, approved, approve, ...wanted }) => {
  expect(waits(origin, approved ? NOW : null, approve)).toBe(wanted.waits);
});

test("what is pinned or no longer short-term does not wait", () => {
  const { memory } = memoryNote("A");
  const web = { ...memory, origin: "web" };
  expect(isWaiting({ memory: web, tier: "short-term" }, "web")).toBe(true);
  expect(isWaiting({ memory: web, tier: "long-term" }, "web")).toBe(false);
  expect(isWaiting({ memory: { ...web, usage: { ...web.usage, pinned: true } }, tier: "short-term" }, "web")).toBe(false);
});
