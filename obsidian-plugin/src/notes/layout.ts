/** The memory folders of a vault: where a note lies is what it is. */

import type { Tier } from "../domain/memory";
import { folded } from "./links";

export interface Layout {
  /** The folder of the settings note, empty for the top of the vault. */
  readonly root: string;
  readonly shortTerm: string;
  readonly longTerm: string;
  readonly archive: string;
}

export const DEFAULT_ROOT = "Memories";

/** Return the folders: given ones as they are, the others by their usual names below `root`. */
export function layoutBelow(root: string, given: Partial<Omit<Layout, "root">> = {}): Layout {
  const prefix = root === "" ? "" : `${root}/`;
  return {
    root,
    shortTerm: given.shortTerm ?? `${prefix}Short-term`,
    longTerm: given.longTerm ?? `${prefix}Long-term`,
    archive: given.archive ?? `${prefix}Archive`,
  };
}

/** Return the tier of a note at `path`. */
export function tierOf(path: string, layout: Layout): Tier {
  if (isWithin(path, layout.shortTerm)) return "short-term";
  return isWithin(path, layout.archive) ? "archived" : "long-term";
}

/** Tell whether a path lies in a folder, without regard to case and normal form. */
export function isWithin(path: string, folder: string): boolean {
  return folded(path).startsWith(`${folded(folder)}/`);
}

/** Tell whether a path lies in one of the memory folders. */
export function isAtHome(path: string, { shortTerm, longTerm, archive }: Layout): boolean {
  return [shortTerm, longTerm, archive].some((folder) => isWithin(path, folder));
}

/** Return why two folders cannot be told apart, or null. */
export function clash(layout: Layout): string | null {
  const folders = [layout.shortTerm, layout.longTerm, layout.archive];
  for (const [position, one] of folders.entries()) {
    for (const other of folders.slice(position + 1)) {
      if (folded(one) === folded(other) || isWithin(one, other) || isWithin(other, one)) {
        return `the memory folders ${one} and ${other} must lie apart`;
      }
    }
  }
  return null;
}
