/** A new memory as the text of its note. */

import { type Instant, usage } from "../domain/memory";
import type { Policy } from "../domain/scoring";
import { writeInstant, type Zone } from "./dates";
import { oneLine, type PropertyChanges, type PropertyValue, render } from "./frontmatter";
import { fadesOn, KEY_ORDER } from "./note";

export interface NewMemory {
  readonly id: string;
  readonly content: string;
  readonly title: string;
  readonly fileName: string;
  readonly tags?: readonly string[];
  readonly source?: string;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LETTERS = ALPHABET.slice(10);

/** Return a letter and nine characters of Crockford base32, drawn from `random` numbers in [0, 256). */
export function newMemoryId(random: Uint8Array): string {
  const first = LETTERS.charAt((random[0] ?? 0) % LETTERS.length);
  const rest = [...random.slice(1, 10)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return first + rest.join("");
}

/** Return the note of a memory that a person wrote, short-term and not pinned. */
export function composeNote(memory: NewMemory, now: Instant, policy: Policy, zone: Zone): string {
  const properties: Record<string, PropertyValue> = {
    ...ownProperties(memory.id, now, policy, zone),
    tags: memory.tags ?? [],
    aliases: memory.title === memory.fileName ? [] : [oneLine(memory.title)],
  };
  if (memory.source !== undefined) properties.source = memory.source;
  const lines = KEY_ORDER.filter((key) => isGiven(properties[key])).map((key) => render(key, properties[key] ?? null));
  return `---\n${lines.join("")}---\n${memory.content.replace(/\s+$/, "")}\n`;
}

/** Return what makes a short-term note a memory that was used once, now. */
export function ownProperties(id: string, now: Instant, policy: Policy, zone: Zone): PropertyChanges {
  const when = writeInstant(now, zone);
  const facts = usage(Math.floor(now / 1000) * 1000);
  return {
    pinned: false,
    fades_on: fadesOn(facts, "short-term", policy, zone),
    created: when,
    last_used: when,
    use_count: 1,
    strength: 1,
    memory_id: id,
  };
}

function isGiven(value: PropertyValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return !Array.isArray(value) || value.length > 0;
}
