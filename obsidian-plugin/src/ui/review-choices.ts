/** What can be decided in a review: of one memory, and of two that conflict. */

import type { Change } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Action, Companion } from "./companion";
import { ICONS } from "./icons";
import type { Choice } from "./review-queue";

export interface ChoiceSpec {
  readonly choice: Choice;
  readonly key: string;
  readonly label: string;
  readonly icon: string;
  readonly act: (companion: Companion, notes: readonly MemoryNote[]) => Promise<Change | null>;
}

function upon(which: 0 | 1, action: Action): ChoiceSpec["act"] {
  return async (companion, notes) => {
    const note = notes[which];
    return note ? companion.perform(note, action, true) : null;
  };
}

export const OF_ONE: readonly ChoiceSpec[] = [
  { choice: "keep", key: "1", label: "Keep", icon: ICONS.use, act: upon(0, (actions, note) => actions.keep(note)) },
  { choice: "promote", key: "2", label: "Promote", icon: ICONS.promote, act: upon(0, (actions, note) => actions.promote(note)) },
  { choice: "let go", key: "3", label: "Let go", icon: ICONS.archive, act: upon(0, (actions, note) => actions.archive(note)) },
];

export const OF_TWO: readonly ChoiceSpec[] = [
  { choice: "newer", key: "1", label: "The newer", icon: ICONS.use, act: upon(1, (actions, note) => actions.outdate(note)) },
  { choice: "older", key: "2", label: "The older", icon: ICONS.restore, act: upon(0, (actions, note) => actions.outdate(note)) },
  {
    choice: "both",
    key: "3",
    label: "Both are true",
    icon: ICONS.both,
    act: async (companion, [newer, older]) => {
      if (!newer || !older) return null;
      const name = older.path.slice(older.path.lastIndexOf("/") + 1).replace(/\.md$/, "");
      return companion.perform(newer, (actions, note) => actions.allowBoth(note, name), true);
    },
  },
];
