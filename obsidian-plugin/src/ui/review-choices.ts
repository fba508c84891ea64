/** What can be decided in a review: of one memory, and of two that conflict. */

import type { Change } from "../obsidian/journal";
import type { MemoryActions } from "../obsidian/memory-actions";
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

function upon(action: Action): ChoiceSpec["act"] {
  return async (companion, [note]) => (note ? companion.perform(note, action, true) : null);
}

type Settling = (actions: MemoryActions, holds: MemoryNote, other: MemoryNote) => Promise<Change>;

/** Act on one of two, the first or the second; what is said of the other is noted in it. */
function between(which: 0 | 1, settle: Settling): ChoiceSpec["act"] {
  return async (companion, notes) => {
    const [holds, other] = [notes[which], notes[1 - which]];
    return holds && other ? companion.perform(holds, (actions, note) => settle(actions, note, other), true) : null;
  };
}

export const OF_ONE: readonly ChoiceSpec[] = [
  { choice: "keep", key: "1", label: "Keep", icon: ICONS.use, act: upon((actions, note) => actions.keep(note)) },
  { choice: "promote", key: "2", label: "Promote", icon: ICONS.promote, act: upon((actions, note) => actions.promote(note)) },
  { choice: "let go", key: "3", label: "Let go", icon: ICONS.archive, act: upon((actions, note) => actions.archive(note)) },
];

export const OF_TWO: readonly ChoiceSpec[] = [
  { choice: "newer", key: "1", label: "The newer", icon: ICONS.use, act: between(0, (actions, note, other) => actions.supersede(note, other)) },
  { choice: "older", key: "2", label: "The older", icon: ICONS.restore, act: between(1, (actions, note, other) => actions.supersede(note, other)) },
  { choice: "both", key: "3", label: "Both are true", icon: ICONS.both, act: between(0, (actions, note, other) => actions.allowBoth(note, other)) },
];
