/** Places in YAML text, and when two values are the same. */

import type { Node, Value, ValueMap } from "./yaml-core";

export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Tell whether two values are equal as Obsidian sees them. */
export function same(one: Value | undefined, other: Value | undefined): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as ValueMap, other as ValueMap];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => key in right && same(left[key], right[key]));
}

/** Return where a value ends, without the blank lines that belong to a block scalar. */
export function valueEnd(source: string, colon: number, value: Node): number {
  return colon + source.slice(colon, value.end).trimEnd().length;
}

/** Return the place behind the line that `position` is in. */
export function lineEnd(source: string, position: number): number {
  const found = source.indexOf("\n", position);
  return found < 0 ? source.length : found + 1;
}
