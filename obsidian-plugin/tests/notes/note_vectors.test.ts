import { expect, test } from "vitest";
import type { Memory } from "../../src/domain/memory";
import { Zone } from "../../src/notes/dates";
import { readFrontmatter, UnreadableNote } from "../../src/notes/frontmatter";
import { kindOf } from "../../src/notes/kinds";
import { readMemory } from "../../src/notes/note";
import { noteVectors } from "../vectors";

const ZONE = new Zone("Europe/Berlin");
const UNDATED = Date.UTC(2026, 11, 1);
const texts = noteVectors().filter(({ text }) => text !== null);

function asJson(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]));
}

function memoryAsJson({ usage, relations, validFrom: _validFrom, approved: _approved, ...rest }: Memory): Record<string, unknown> {
  const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().replace(".000", ""));
  return {
    ...rest,
    relations: relations.map(({ type, target }) => [type, target]),
    created: moment(usage.created),
    last_used: moment(usage.lastUsed),
    use_count: usage.useCount,
    days_used: usage.daysUsed,
    strength: usage.strength,
    pinned: usage.pinned,
    half_life_days: usage.halfLifeDays,
    promoted: moment(usage.promoted),
    review_count: usage.reviewCount,
    last_review: moment(usage.lastReview),
    cross_domain_count: usage.crossDomainCount,
  };
}

test("there are many notes to read", () => {
  expect(texts.length).toBeGreaterThan(50);
});

test.each(texts)("$name", ({ text, expected }) => {
  if (!expected.readable) {
    expect(() => readFrontmatter(text ?? "")).toThrow(UnreadableNote);
    return;
  }
  const properties = readFrontmatter(text ?? "");
  expect(asJson(properties)).toEqual(expected.values);
  // tags in the text are Obsidian's to find
  const inText = text?.includes("#private") === true && expected.kind === "private" ? ["private"] : [];
  expect(kindOf(expected.path, properties, inText)).toBe(expected.kind);
  if (expected.memory === null) return;
  const stem = expected.path.slice(expected.path.lastIndexOf("/") + 1, -".md".length);
  const memory = readMemory(properties, stem, ZONE, UNDATED);
  const { content: _content, relations, ...wanted } = expected.memory;
  const given = (relations as unknown[][]).map(([type, target]) => [type, target]);
  expect(memory && memoryAsJson(memory)).toEqual({ ...wanted, relations: given });
});
