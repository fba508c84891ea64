import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

const FOLDER = `${join(import.meta.dirname, "../../tests/vectors")}/`;

/** Read a vector file that both languages share. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(FOLDER + name, "utf8")) as T;
}

export function hasVectors(name: string): boolean {
  return existsSync(FOLDER + name);
}

export interface NoteVector {
  readonly name: string;
  readonly text: string;
  readonly expected: Record<string, unknown>;
}

/** Read the pairs of a note and of what it must be read as. */
export function noteVectors(): NoteVector[] {
  const names = readdirSync(`${FOLDER}notes`).filter((file) => file.endsWith(".json"));
  return names.map((file) => ({
    name: file.slice(0, -".json".length),
    text: readFileSync(`${FOLDER}notes/${file.slice(0, -".json".length)}.md`, "utf8"),
    expected: vectors<Record<string, unknown>>(`notes/${file}`),
  }));
}

/** Expect equality up to the rounding of double precision. */
export function expectClose(actual: number | null, expected: number, tolerance = 1e-12): void {
  expect(actual).not.toBeNull();
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}
