/** Which of our properties this vault holds as dates without a time, by its own property types. */

import type { App } from "obsidian";

import { TIME_KEYS } from "../notes/keys";

/** Read the property types that people chose; what cannot be read counts as none chosen. */
export async function readDateKeys({ vault }: App): Promise<ReadonlySet<string>> {
  const path = `${vault.configDir}/types.json`;
  if (!(await vault.adapter.exists(path))) return new Set();
  return dateKeysIn(await vault.adapter.read(path));
}

/** Return the keys among ours that are typed as a date. */
export function dateKeysIn(json: string): ReadonlySet<string> {
  const types = typesIn(json);
  return new Set(Object.keys(types).filter((key) => TIME_KEYS.has(key) && types[key] === "date"));
}

function typesIn(json: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(json.replace(/^\uFEFF/, ""));
    const types = (data as { types?: unknown } | null)?.types;
    return typeof types === "object" && types !== null ? (types as Record<string, unknown>) : {};
  } catch (error) {
    // half-written while the app saves
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
