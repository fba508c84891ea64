/** The frontmatter of a note as text: find it, read it, change some keys and leave every other byte as it is. */

import { rank } from "./keys";
import { same } from "./patch";
import { applyChanges, type Changes } from "./splice";
import { type Node, parseYaml, UnreadableNote, type Value, type ValueMap } from "./yaml-core";
import { linesOf, normalised } from "./yaml-text";

export { UnreadableNote, type Changes, type Value };

/** The properties of a note, as parsed here or by Obsidian. */
export type Properties = Readonly<Record<string, unknown>>;

const BOM = "\uFEFF";

/** Where the frontmatter lies: its YAML is `text.slice(start, end)`, the body starts at `bodyStart`. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  readonly newline: string;
}

/** Return where the frontmatter lies, null if there is none or it is never closed. */
export function split(text: string): Block | null {
  const opening = openingOf(text);
  if (!opening) return null;
  const start = opening[0].length;
  const closing = /^---(?:\r?\n|(?![\s\S]))/gm;
  closing.lastIndex = start;
  const found = closing.exec(text);
  if (!found) return null;
  return { start, end: found.index, bodyStart: found.index + found[0].length, newline: opening[1] ?? "\n" };
}

/** Tell whether frontmatter is opened and never closed. */
export function isUnclosed(text: string): boolean {
  return openingOf(text) !== null && split(text) === null;
}

/** Return the text below the frontmatter; the whole text if that is never closed. */
export function bodyOf(text: string): string {
  const block = split(text);
  if (block) return text.slice(block.bodyStart);
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Return the text with another one below its frontmatter. */
export function withBody(text: string, body: string): string {
  const kept = text.length - bodyOf(text).length;
  return text.slice(0, kept) + body;
}

/** Return the frontmatter as Obsidian reads it, {} without one. Throws UnreadableNote. */
export function readFrontmatter(text: string): ValueMap {
  const block = split(text);
  if (!block) {
    if (isUnclosed(text)) throw new UnreadableNote("the frontmatter is opened and never closed");
    return {};
  }
  return valuesOf(parseMap(text.slice(block.start, block.end)));
}

/**
 * Return the text with these top-level keys changed, null removing one, and every other byte kept.
 *
 * A missing block is put before the body. Throws UnreadableNote if the frontmatter cannot be parsed, is JSON, or if the
 * change cannot be made without changing another key.
 */
export function editFrontmatter(text: string, changes: Changes): string {
  const block = split(text);
  if (!block) return withNewBlock(text, changes);
  const source = text.slice(block.start, block.end);
  const root = parseMap(source);
  if (root?.style === "flow map") throw new UnreadableNote("the frontmatter is JSON");
  const edited = applyChanges(source, root, changes, block.newline);
  if (edited === source) return text;
  verify(root, edited, changes);
  return text.slice(0, block.start) + edited + text.slice(block.end);
}

/** Return a new note with these keys, in the order of the note format, before the body as it is. */
export function composeFrontmatter(values: Changes, body: string, newline = "\n"): string {
  const ordered = Object.entries(values).sort(([one], [other]) => rank(one) - rank(other));
  const written = ordered.map(([key, value]) => linesOf(key, value, newline)).join("");
  return `---${newline}${written}---${newline}${body}`;
}

function openingOf(text: string): RegExpExecArray | null {
  return /^\uFEFF?---(\r?\n)/.exec(text);
}

function parseMap(source: string): Node | null {
  const root = parseYaml(source);
  if (!root || root.value === null) return null;
  if (root.style !== "block map" && root.style !== "flow map") {
    throw new UnreadableNote("the frontmatter is no list of keys");
  }
  return root;
}

function valuesOf(root: Node | null): ValueMap {
  return root ? (root.value as ValueMap) : {};
}

function withNewBlock(text: string, changes: Changes): string {
  if (isUnclosed(text)) throw new UnreadableNote("the frontmatter is opened and never closed");
  const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
  if (Object.keys(values).length === 0) return text;
  const bom = text.startsWith(BOM) ? BOM : "";
  return bom + composeFrontmatter(values, text.slice(bom.length), /\r?\n/.exec(text)?.[0] ?? "\n");
}

/** Refuse an edit that did not do exactly what was asked. */
function verify(root: Node | null, edited: string, changes: Changes): void {
  const expected: Record<string, Value> = { ...valuesOf(root) };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete expected[key];
    else if (!(key in expected) || !same(expected[key], value)) expected[key] = normalised(value);
  }
  if (!same(valuesOf(parseMap(edited)), expected)) {
    throw new UnreadableNote("the frontmatter is written in a way that cannot be changed safely");
  }
}
