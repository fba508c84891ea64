/** Builds memory notes for tests: the text of one, or one as the cache holds it. */

import { usage, type Usage } from "../src/domain/memory";
import { Zone } from "../src/notes/dates";
import { layoutBelow, tierOf } from "../src/notes/layout";
import { readSettings } from "../src/notes/settings";
import type { MemoryNote } from "../src/obsidian/memory-cache";
import { Words } from "../src/ui/words";

export const NOW = Date.UTC(2026, 10, 30, 9, 0, 0);
export const DAY = 86_400_000;
export const SETTINGS = readSettings({ timezone: "UTC" });
export const WORDS = new Words(new Zone("UTC"), "en");

/** Return the text of a note that an assistant saved. */
export function noteText(properties: Record<string, string | number | boolean> = {}, body = "Body.\n"): string {
  const all = {
    pinned: false,
    fades_on: "2026-12-31",
    created: "2026-11-20T10:00:00",
    last_used: "2026-11-20T10:00:00",
    use_count: 1,
    strength: 1,
    memory_id: "k7q2x4dhw9",
    ...properties,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n# a person's comment\n${lines.join("")}---\n${body}`;
}

interface Given {
  readonly path?: string;
  readonly usage?: Partial<Usage>;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
  readonly mergedFrom?: readonly string[];
  readonly idleDays?: number;
  readonly modified?: number;
}

/** Return a memory as the cache holds it. */
export function memoryNote(title: string, given: Given = {}): MemoryNote {
  const path = given.path ?? `Memories/Short-term/${title}.md`;
  const lastUsed = NOW - (given.idleDays ?? 0) * DAY;
  return {
    path,
    tier: tierOf(path, layoutBelow("Memories")),
    modified: given.modified ?? lastUsed,
    properties: {},
    memory: {
      id: title.replace(/\W/g, "_"),
      title,
      usage: usage(lastUsed, given.usage),
      tags: given.tags ?? [],
      aliases: [],
      entities: given.entities ?? [],
      relations: (given.mergedFrom ?? []).map((target) => ({ type: "consolidated_from", target })),
      project: null,
      source: null,
      context: null,
      origin: "ai",
      session: null,
      validFrom: null,
      approved: null,
    },
  };
}
