/** A new memory as the text of its note. */

import { type Instant, type Usage, usage } from "../domain/memory";
import { composeFrontmatter } from "./frontmatter";
import { inert } from "./inert";
import { ID_KEY } from "./keys";
import { usageValues, type WritingContext } from "./note";
import type { Value } from "./yaml-core";

export interface NewMemory {
  readonly id: string;
  readonly content: string;
  readonly title: string;
  readonly stem: string;
  readonly tags?: readonly string[];
  readonly source?: string;
  /** Where the text comes from, if no person wrote it; then it is kept from acting. */
  readonly origin?: "web";
  /** Further properties, as of the memory that this one replaces. */
  readonly carried?: Readonly<Record<string, Value>>;
  /** What it takes over of the uses of that one. */
  readonly inherited?: Partial<Usage>;
}

const ID_LETTERS = "abcdefghjkmnpqrstvwxyz";
const ID_CHARACTERS = `0123456789${ID_LETTERS}`;

/** Return a letter and nine characters of Crockford base32, drawn from ten `random` bytes. */
export function newMemoryId(random: Uint8Array): string {
  const first = ID_LETTERS.charAt((random[0] ?? 0) % ID_LETTERS.length);
  const rest = [...random.slice(1, 10)].map((byte) => ID_CHARACTERS.charAt(byte % ID_CHARACTERS.length));
  return first + rest.join("");
}

/** Return the note of a memory that a person saved, short-term and not pinned. */
export function composeNote(memory: NewMemory, now: Instant, context: WritingContext): string {
  const { id, content, title, stem, tags = [], source = null, origin = null, carried = {}, inherited = {} } = memory;
  const shown = (text: string): string => (origin === null ? text : inert(text));
  const aliases = title === stem ? [] : [shown(title)];
  const values = { tags, ...carried, aliases, source, origin, ...ownValues(id, now, context, inherited) };
  return composeFrontmatter(present(values), `${shown(content.replace(/\s+$/, ""))}\n`);
}

/** Return what makes a note a memory that was used now, and once if nothing else is said. */
export function ownValues(id: string, now: Instant, context: WritingContext, facts: Partial<Usage> = {}): Record<string, Value> {
  const moment = Math.floor(now / 1000) * 1000;
  return present({ ...usageValues(usage(moment, facts), context), [ID_KEY]: id });
}

function present(values: Record<string, Value>): Record<string, Value> {
  const given = Object.entries(values).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(given);
}
