import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

const FOLDER = `${join(import.meta.dirname, "../../tests/vectors")}/`;

/** Read a vector file that both languages share. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(FOLDER + name, "utf8")) as T;
}

export interface NoteVector {
  readonly name: string;
  /** Null if the file is no text in UTF-8. */
  readonly text: string | null;
  readonly expected: {
    readonly path: string;
    readonly readable: boolean;
    readonly kind: string;
    readonly values: Record<string, unknown> | null;
    readonly memory: Record<string, unknown> | null;
  };
}

/** Read the pairs of a note and of what it must be read as. */
export function noteVectors(): NoteVector[] {
  const names = readdirSync(`${FOLDER}notes`).filter((file) => file.endsWith(".json"));
  return names.map((file) => {
    const name = file.slice(0, -".json".length);
    return { name, text: decoded(readFileSync(`${FOLDER}notes/${name}.md`)), expected: vectors(`notes/${file}`) };
  });
}

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Expect equality up to the rounding of double precision. */
export function expectClose(actual: number | null, expected: number, tolerance = 1e-12): void {
  expect(actual).not.toBeNull();
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}
