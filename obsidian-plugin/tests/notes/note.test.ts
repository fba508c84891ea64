import { expect, test } from "vitest";
import { use } from "../../src/domain/reinforcement";
import { DEFAULT_POLICY } from "../../src/domain/scoring";
import { writeDay, Zone } from "../../src/notes/dates";
import { editFrontmatter, readFrontmatter } from "../../src/notes/frontmatter";
import { fadesOn, readMemory, readUsage, usageChanges } from "../../src/notes/note";

const ZONE = new Zone("Europe/Berlin");
const EXAMPLE = `---
tags:
  - preferences
  - typescript
entities:
  - "[[TypeScript]]"
  - JavaScript
supports:
  - "[[Frontend stack]]"
source: conversation
origin: ai
pinned: false
fades_on: 2027-01-31
created: 2026-11-29T22:30:00
last_used: 2026-11-29T22:30:00
use_count: 1
strength: 1.3
session: frontend planning
memory_id: k7q2x4dhw9
---
I prefer TypeScript over JavaScript.
`;

test("the example of the note format is read", () => {
  const memory = readMemory(readFrontmatter(EXAMPLE), "Prefers TypeScript over JavaScript", ZONE, 0);
  expect(memory).toMatchObject({
    id: "k7q2x4dhw9",
    tags: ["preferences", "typescript"],
    entities: ["TypeScript", "JavaScript"],
    relations: [{ type: "supports", target: "Frontend stack" }],
    origin: "ai",
    usage: { created: Date.UTC(2026, 10, 29, 21, 30), useCount: 1, strength: 1.3, daysUsed: 1, pinned: false },
  });
});

test("the projected day of the example is the one that it holds", () => {
  const facts = readUsage(readFrontmatter(EXAMPLE), ZONE, 0);
  expect(fadesOn(facts, "short-term", DEFAULT_POLICY, ZONE)).toBe("2027-01-31");
  expect(fadesOn(facts, "long-term", DEFAULT_POLICY, ZONE)).toBeNull();
});

test("a use changes its own lines and no other byte", () => {
  const before = readUsage(readFrontmatter(EXAMPLE), ZONE, 0);
  const after = use(before, Date.UTC(2026, 11, 1, 9), (instant) => writeDay(instant, ZONE));
  const changes = usageChanges(before, after, readFrontmatter(EXAMPLE), { tier: "short-term", policy: DEFAULT_POLICY, zone: ZONE });
  const lines = editFrontmatter(EXAMPLE, changes).split("\n");
  const old = EXAMPLE.split("\n");
  expect(lines.filter((line) => !old.includes(line))).toEqual([
    "fades_on: 2027-03-04",
    "last_used: 2026-12-01T10:00:00",
    "use_count: 2",
    "days_used: 2",
  ]);
  expect(lines.filter((line) => !line.startsWith("days_used"))).toHaveLength(old.length);
});
