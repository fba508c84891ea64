/** Replace, add and remove top-level keys in the YAML text of a block; what is not asked for stays byte for byte. */

import { ID_KEY, isOwn, rank } from "./keys";
import { lineEnd, lineStart, type Patch, same, valueEnd } from "./patch";
import { blockList, flowList } from "./splice-list";
import { keyText, type Node, UnreadableNote, type Value } from "./yaml-core";
import { itemsOf, linesOf, scalar } from "./yaml-text";

/** New values by key; null removes the key. */
export type Changes = Readonly<Record<string, Value>>;

/** One top-level key: `start` its line, `colon` the place after its colon, `end` where its value ends. */
export interface Entry {
  readonly key: string;
  readonly start: number;
  readonly colon: number;
  readonly end: number;
  readonly value: Node;
}

/** Return the YAML text with the changes. */
export function applyChanges(source: string, root: Node | null, changes: Changes, newline: string): string {
  const entries = entriesOf(source, root);
  const patches: Patch[] = [];
  const added: [string, Value][] = [];
  for (const [key, value] of Object.entries(changes)) {
    const entry = entries.find((candidate) => candidate.key === key);
    if (!entry) {
      if (value !== null) added.push([key, value]);
    } else if (value === null) {
      patches.push({ start: entry.start, end: lineEnd(source, entry.end), text: "" });
    } else if (!same(entry.value.value, value)) {
      patches.push(replaced(source, entry, value, newline));
    }
  }
  if (added.length > 0) patches.push(inserted(source, root, entries, added, newline));
  return patched(source, patches);
}

function entriesOf(source: string, root: Node | null): Entry[] {
  return (root?.children ?? []).flatMap((value, index) => {
    const key = root?.keys[index];
    return key ? [entryOf(source, key, value)] : [];
  });
}

function entryOf(source: string, key: Node, value: Node): Entry {
  const name = keyText(key);
  const start = lineStart(source, key.start);
  const colon = /^[ \t]*:/.exec(source.slice(key.end));
  if (!colon || source.slice(start, key.start).trim() !== "") {
    throw new UnreadableNote(`the key '${name}' is written in an unusual way`);
  }
  const after = key.end + colon[0].length;
  return { key: name, start, colon: after, end: valueEnd(source, after, value), value };
}

function patched(source: string, patches: readonly Patch[]): string {
  const backwards = [...patches].sort((one, other) => other.start - one.start || other.end - one.end);
  return backwards.reduce((text, patch) => text.slice(0, patch.start) + patch.text + text.slice(patch.end), source);
}

function inserted(
  source: string,
  root: Node | null,
  entries: readonly Entry[],
  added: readonly [string, Value][],
  newline: string,
): Patch {
  const indent = root ? " ".repeat(root.start - lineStart(source, root.start)) : "";
  const ordered = [...added].sort(([one], [other]) => rank(one) - rank(other));
  const lines = ordered.map(([key, value]) => linesOf(key, value, newline)).join("");
  const text = indent === "" ? lines : lines.replace(/^(?=.)/gm, indent);
  const place = endOfRun(source, entries);
  return { start: place, end: place, text };
}

/** Return the place behind our keys around the id, the end of the block without one. */
function endOfRun(source: string, entries: readonly Entry[]): number {
  let last = entries.findIndex(({ key }) => key === ID_KEY);
  if (last < 0) return source.length;
  while (isOwn(entries[last + 1]?.key ?? "")) last++;
  const entry = entries[last];
  if (!entry) return source.length;
  // blank lines behind a block scalar may be part of its text
  return entry.value.style === "block scalar" ? entry.value.end : lineEnd(source, entry.end);
}

function replaced(source: string, entry: Entry, value: Value, newline: string): Patch {
  if (!Array.isArray(value)) return withScalar(source, entry, scalar(value, { key: entry.key }));
  const list = value as readonly Value[];
  const { start, end, style } = entry.value;
  if (style === "flow list") return { start, end, text: flowList(source, entry.value, list) };
  if (list.length === 0) return withScalar(source, entry, "[]");
  return style === "block list" ? blockList(source, entry.value, list, newline) : withNewList(source, entry, list, newline);
}

function withScalar(source: string, entry: Entry, text: string): Patch {
  const { start, end, style } = entry.value;
  if ((style === "scalar" || style === "block scalar") && entry.end > entry.colon) return { start, end: entry.end, text };
  if (style === "flow list" || style === "flow map") return { start, end, text };
  // what stands on the line of the key, a comment, stays; the lines of a block list or map go
  const rest = source.slice(entry.colon, lineEnd(source, entry.colon));
  return { start: entry.colon, end: Math.max(lineEnd(source, entry.end), entry.colon), text: ` ${text}${rest}` };
}

/** Put a block list where a scalar or map was, a comment behind it onto the line of the key. */
function withNewList(source: string, entry: Entry, value: readonly Value[], newline: string): Patch {
  const indent = /^\s*/.exec(source.slice(entry.start, entry.colon))?.[0] ?? "";
  const end = lineEnd(source, entry.end);
  const comment = source.slice(entry.end, end).trimEnd();
  return { start: entry.colon, end, text: `${comment}${newline}${itemsOf(value, `${indent}  `, newline)}` };
}
