/** Change lists in YAML text: items that stay keep their spelling and their comments. */

import { lineEnd, lineStart, type Patch, same, valueEnd } from "./patch";
import type { Node, Value } from "./yaml-core";
import { itemsOf, scalar } from "./yaml-text";

/** Keep the lines of items that stay, and all comments between them. */
export function blockList(source: string, list: Node, value: readonly Value[], newline: string): Patch {
  const old = list.children;
  const starts = old.map((item) => itemStart(source, item));
  const ends = old.map((item) => lineEnd(source, valueEnd(source, item.start, item)));
  const first = starts[0] ?? list.start;
  const end = ends[ends.length - 1] ?? list.end;
  const nexts = [...starts.slice(1), end];
  const indent = source.slice(first, source.indexOf("-", first));
  const between = (from: number, to: number): string[] =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => source.slice(ends[from + index], nexts[from + index]));
  const parts: string[] = [];
  let position = 0;
  for (const item of value) {
    const found = find(old, item, position);
    if (found < 0) {
      parts.push(itemsOf([item], indent, newline));
      continue;
    }
    parts.push(...between(position, found), source.slice(starts[found], nexts[found]));
    position = found + 1;
  }
  parts.push(...between(position, old.length));
  return { start: first, end, text: parts.join("") };
}

/** Keep the text of items that stay, and what stands between neighbours that stay. */
export function flowList(source: string, list: Node, value: readonly Value[]): string {
  const items = list.children;
  const [opening, closing] = [items[0], items[items.length - 1]];
  if (!opening || !closing || value.length === 0) return `[${value.map((item) => scalar(item, { flow: true })).join(", ")}]`;
  const places = placesOf(items, value);
  const parts = places.map((found, index) => {
    const item = items[found];
    const text = item ? source.slice(item.start, item.end) : scalar(value[index] ?? null, { flow: true });
    return index === 0 ? text : separator(source, items, places[index - 1] ?? -1, found) + text;
  });
  return source.slice(list.start, opening.start) + parts.join("") + source.slice(closing.end, list.end);
}

/** Return for each new item where it stands in the old list, -1 if it is new. */
function placesOf(items: readonly Node[], value: readonly Value[]): number[] {
  let position = 0;
  return value.map((item) => {
    const found = find(items, item, position);
    if (found >= 0) position = found + 1;
    return found;
  });
}

function separator(source: string, items: readonly Node[], last: number, found: number): string {
  const neighbours = last >= 0 && found === last + 1;
  return neighbours ? source.slice(items[last]?.end, items[found]?.start) : ", ";
}

function itemStart(source: string, item: Node): number {
  return lineStart(source, source.lastIndexOf("-", item.start - 1));
}

function find(old: readonly Node[], value: Value, position: number): number {
  const found = old.slice(position).findIndex((item) => same(item.value, value));
  return found < 0 ? -1 : found + position;
}
