/** Places in YAML text, and when two values are the same. */

import type { Node, Value, ValueMap } from "./yaml-core";

export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Tell whether two values are equal as Obsidian sees them. */
export function same(one: Value | undefined, other: Value | undefined): boolean {
  // of numbers a NaN is not equal to itself, and 0 is to -0
  if (one === other || Object.is(one, other)) return true;
  return isComposed(one) && isComposed(other) && Array.isArray(one) === Array.isArray(other) && sameItems(one, other);
}

function isComposed(value: Value | undefined): value is ValueMap {
  return typeof value === "object" && value !== null;
}

function sameItems(one: ValueMap, other: ValueMap): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
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

/** Return the place where the line begins that `position` is in. */
export function lineStart(source: string, position: number): number {
  return position === 0 ? 0 : source.lastIndexOf("\n", position - 1) + 1;
}
