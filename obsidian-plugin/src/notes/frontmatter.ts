/** Frontmatter as text: split it off, read it as YAML 1.2, change single lines and leave all others as they are. */

import { isAlias, isCollection, isMap, isScalar, parseDocument, visit, type Document, type Pair, type YAMLMap } from "yaml";

export type PropertyValue = string | number | boolean | null | readonly string[];
export type Properties = Readonly<Record<string, unknown>>;
/** New values by key; null removes the key. */
export type PropertyChanges = Readonly<Record<string, PropertyValue>>;

const LARGEST_BLOCK = 64 * 1024;
const BOM = "\uFEFF";

/** The frontmatter cannot be parsed; the note is left alone. */
export class UnreadableNote extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = "UnreadableNote";
  }
}

export interface SplitNote {
  /** Everything up to and including the line break of the opening fence. */
  readonly head: string;
  readonly block: string;
  /** The closing fence and all that follows it. */
  readonly tail: string;
  readonly newline: "\n" | "\r\n";
}

/** Split a note at its fences; null if it has no frontmatter. Throws UnreadableNote if the block never ends. */
export function split(text: string): SplitNote | null {
  const opening = /^\uFEFF?---[ \t]*(\r?\n)/.exec(text);
  if (!opening) return null;
  const start = opening[0].length;
  const closing = /^---[ \t]*\r?$/gm;
  closing.lastIndex = start;
  const end = closing.exec(text)?.index;
  if (end === undefined) throw new UnreadableNote("the frontmatter has no closing ---");
  return {
    head: text.slice(0, start),
    block: text.slice(start, end),
    tail: text.slice(end),
    newline: opening[1] === "\r\n" ? "\r\n" : "\n",
  };
}

/** Return the text below the frontmatter. */
export function bodyOf(text: string): string {
  const parts = split(text);
  if (!parts) return text.startsWith(BOM) ? text.slice(1) : text;
  const lineEnd = parts.tail.indexOf("\n");
  return lineEnd < 0 ? "" : parts.tail.slice(lineEnd + 1);
}

/** Return the properties of a note, none if it has no frontmatter. Throws UnreadableNote. */
export function readProperties(text: string): Properties {
  const parts = split(text);
  return parts ? valuesOf(parseBlock(parts.block)) : {};
}

/**
 * Return the note with some properties changed and every other byte as it was.
 *
 * New keys go behind the last of `ownKeys` that is there. Throws UnreadableNote, also if the result would read otherwise.
 */
export function setProperties(text: string, changes: PropertyChanges, ownKeys: ReadonlySet<string>): string {
  const parts = split(text) ?? withoutBlock(text);
  const before = valuesOf(parseBlock(parts.block));
  const wanted = Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, onLines(value)]));
  let block = parts.block;
  for (const [key, value] of Object.entries(wanted)) block = setOne(block, key, value, parts.newline, ownKeys);
  verify(before, valuesOf(parseBlock(block)), wanted);
  return parts.head + block + parts.tail;
}

function onLines(value: PropertyValue): PropertyValue {
  if (typeof value === "string") return oneLine(value);
  return Array.isArray(value) ? (value as readonly string[]).map(oneLine) : value;
}

function withoutBlock(text: string): SplitNote {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const bom = text.startsWith(BOM) ? BOM : "";
  const body = text.slice(bom.length);
  return { head: `${bom}---${newline}`, block: "", tail: `---${newline}${body}`, newline };
}

function parseBlock(block: string): YAMLMap | null {
  if (block.length > LARGEST_BLOCK) throw new UnreadableNote("the frontmatter is larger than 64 KB");
  const document = parseDocument(block, { version: "1.2", schema: "core", uniqueKeys: true, prettyErrors: false });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw new UnreadableNote(problem.message.split("\n")[0] ?? "broken YAML");
  refuseSpecialYaml(document);
  const contents: unknown = document.contents;
  if (contents === null || (isScalar(contents) && contents.value === null)) return null;
  if (!isMap(contents) || contents.flow) throw new UnreadableNote("the frontmatter is not a list of properties");
  return contents;
}

function refuseSpecialYaml(document: Document.Parsed): void {
  visit(document, {
    Node(_key, node) {
      const anchored = isAlias(node) || ("anchor" in node && Boolean(node.anchor));
      const tagged = (isScalar(node) || isCollection(node)) && node.tag !== undefined;
      if (anchored || tagged) throw new UnreadableNote("anchors, aliases and tags of YAML are not supported");
    },
  });
}

function valuesOf(map: YAMLMap | null): Properties {
  if (!map) return {};
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const pair of map.items) values[keyOf(pair)] = toPlain(pair.value);
  return values;
}

function toPlain(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isMap(node)) return valuesOf(node);
  if (isCollection(node)) return node.items.map(toPlain);
  return null;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : JSON.stringify(toPlain(pair.key));
}

interface Entry {
  readonly key: string;
  /** Offsets in the block: the key, the value without comment, and the end of the last line. */
  readonly start: number;
  readonly colon: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly end: number;
  readonly collection: boolean;
  readonly flow: boolean;
}

function entriesOf(block: string): Entry[] {
  return (parseBlock(block)?.items ?? []).map((pair) => entryOf(pair, block));
}

function entryOf(pair: Pair, block: string): Entry {
  const key = isScalar(pair.key) ? pair.key.range : null;
  if (!key) throw new UnreadableNote("a key is not a text");
  const value = isScalar(pair.value) || isCollection(pair.value) ? pair.value : null;
  const colon = block.indexOf(":", key[1]) + 1;
  const written = value?.range && value.range[1] > value.range[0] ? value.range : null;
  const valueEnd = written ? trimmedEnd(block, written[0], written[1]) : colon;
  return {
    key: keyOf(pair),
    start: key[0],
    colon,
    valueStart: written ? written[0] : colon,
    valueEnd,
    end: lineEnd(block, Math.max(valueEnd, colon)),
    collection: isCollection(value),
    flow: isCollection(value) && value.flow === true,
  };
}

function trimmedEnd(block: string, start: number, end: number): number {
  let last = end;
  while (last > start && /\s/.test(block.charAt(last - 1))) last--;
  return last;
}

function lineEnd(block: string, offset: number): number {
  const end = block.indexOf("\n", offset);
  return end < 0 ? block.length : end + 1;
}

function setOne(
  block: string,
  key: string,
  value: PropertyValue,
  newline: string,
  ownKeys: ReadonlySet<string>,
): string {
  const entries = entriesOf(block);
  const entry = entries.find((candidate) => candidate.key === key);
  if (value === null) return entry ? block.slice(0, entry.start) + block.slice(entry.end) : block;
  if (!entry) return insert(block, entries, render(key, value, newline), newline, ownKeys);
  const oneLine = !entry.collection && !block.slice(entry.valueStart, entry.valueEnd).includes("\n");
  if (Array.isArray(value) || !oneLine) return replaceWhole(block, entry, value, newline);
  const gap = entry.valueStart === entry.colon ? " " : "";
  return block.slice(0, entry.valueStart) + gap + scalar(value as Scalar) + block.slice(entry.valueEnd);
}

function replaceWhole(block: string, entry: Entry, value: PropertyValue, newline: string): string {
  const items = value as readonly string[];
  const text =
    Array.isArray(value) && entry.flow
      ? `${entry.key}: [${items.map((item) => flowScalar(item)).join(", ")}]${newline}`
      : render(entry.key, value, newline);
  return block.slice(0, entry.start) + text + block.slice(entry.end);
}

function insert(
  block: string,
  entries: readonly Entry[],
  lines: string,
  newline: string,
  ownKeys: ReadonlySet<string>,
): string {
  const last = [...entries].reverse().find((entry) => ownKeys.has(entry.key));
  const at = last ? last.end : block.length;
  const gap = at > 0 && block.charAt(at - 1) !== "\n" ? newline : "";
  return block.slice(0, at) + gap + lines + block.slice(at);
}

function verify(before: Properties, after: Properties, changes: PropertyChanges): void {
  const expected = { ...before, ...changes };
  for (const key of Object.keys(changes)) if (changes[key] === null) delete expected[key];
  if (!sameValues(expected, after)) throw new UnreadableNote("the change would alter other properties");
}

function sameValues(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => key in right && sameValues(left[key], right[key]));
}

type Scalar = string | number | boolean;

/** Write one property as its lines, a list as a block list. */
export function render(key: string, value: PropertyValue, newline = "\n"): string {
  if (Array.isArray(value)) {
    const items = (value as readonly string[]).map((item) => `  - ${scalar(item)}${newline}`).join("");
    return items ? `${key}:${newline}${items}` : `${key}: []${newline}`;
  }
  return `${key}: ${scalar(value as Scalar)}${newline}`;
}

/** Write a value on one line, quoted where YAML or Obsidian needs it; line breaks and controls become spaces. */
export function scalar(value: Scalar): string {
  if (typeof value !== "string") return String(value);
  const line = oneLine(value);
  return plainIsSafe(line) ? line : JSON.stringify(line);
}

function flowScalar(value: string): string {
  return /[,[\]{}]/.test(value) ? JSON.stringify(oneLine(value)) : scalar(value);
}

/** Return the text on one line, without control characters. */
export function oneLine(value: string): string {
  return value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

function plainIsSafe(line: string): boolean {
  if (line === "" || line !== line.trim() || /[:#]/.test(line) || /^[-?!&*|>%@`"'[\]{},~=<]/.test(line)) {
    return isDateText(line);
  }
  const document = parseDocument(line, { version: "1.2", schema: "core" });
  return document.errors.length === 0 && isScalar(document.contents) && document.contents.value === line;
}

function isDateText(line: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(line);
}
