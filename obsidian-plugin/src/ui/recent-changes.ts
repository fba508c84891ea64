/** What happened to memories lately: the plugin's own changes, and what the notes tell of those of others. */

import type { Instant } from "../domain/memory";
import type { Change, Verb } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";
import { ICONS } from "./icons";
import { archival, farewells, standing } from "./standing";
import type { Policy } from "../domain/scoring";

export interface RecentChange {
  readonly at: Instant;
  readonly title: string;
  readonly what: string;
  readonly icon: string;
  readonly undone: boolean;
  /** The plugin's own change, or the note that someone else changed. */
  readonly change: Change | null;
  readonly note: MemoryNote | null;
}

const LATELY = 14 * 86_400_000;
const MOST = 40;
// the same event, told by the journal and by the note
const SAME = 120_000;

const SHOWN: Readonly<Partial<Record<Verb, { readonly what: string; readonly undone: string; readonly icon: string }>>> = {
  remembered: { what: "remembered", undone: "removed again", icon: ICONS.add },
  adopted: { what: "made a memory", undone: "made a note again", icon: ICONS.note },
  promoted: { what: "promoted", undone: "promotion undone", icon: ICONS.promote },
  demoted: { what: "demoted", undone: "demotion undone", icon: ICONS.demote },
  "let go": { what: "let go", undone: "letting go undone", icon: ICONS.archive },
  "both true": { what: "both are true", undone: "conflict again", icon: ICONS.both },
  settled: { what: "holds in place of another", undone: "conflict again", icon: ICONS.use },
  outdated: { what: "not true", undone: "true again", icon: ICONS.outdated },
  edited: { what: "text changed", undone: "text as before", icon: ICONS.edit },
  approved: { what: "trusted", undone: "waits for your yes again", icon: ICONS.use },
  restored: { what: "restored", undone: "restoring undone", icon: ICONS.restore },
  pinned: { what: "pinned", undone: "pinning undone", icon: ICONS.pin },
  unpinned: { what: "unpinned", undone: "unpinning undone", icon: ICONS.unpin },
};

/** Return the latest changes, the newest first; uses are too many to list. */
export function recentChanges(
  own: readonly Change[],
  notes: readonly MemoryNote[],
  policy: Policy,
  now: Instant,
): RecentChange[] {
  const mine = own.flatMap(ownChange);
  const others = [...promotedLately(notes), ...archivedLately(notes, own, policy, now)].filter(
    (other) => !own.some((change) => isSameEvent(change, other)),
  );
  const lately = [...mine, ...others].filter(({ at }) => at > now - LATELY && at <= now + SAME);
  return lately.sort((one, other) => other.at - one.at).slice(0, MOST);
}

function ownChange(change: Change): RecentChange[] {
  const shown = SHOWN[change.verb];
  if (!shown) return [];
  const what = change.undone ? shown.undone : shown.what;
  const { at, title, undone } = change;
  return [{ at, title, what, icon: shown.icon, undone, change, note: null }];
}

function promotedLately(notes: readonly MemoryNote[]): RecentChange[] {
  return notes.flatMap((note) => {
    const at = note.tier === "long-term" ? note.memory.usage.promoted : null;
    return at === null ? [] : [otherChange(note, at, "promoted", ICONS.promote)];
  });
}

function archivedLately(
  notes: readonly MemoryNote[],
  own: readonly Change[],
  policy: Policy,
  now: Instant,
): RecentChange[] {
  const gone = farewells(notes, own);
  return notes.flatMap((note) => {
    if (note.tier !== "archived") return [];
    const { how, at } = archival(standing(note, policy, now), gone, now);
    return at === null ? [] : [otherChange(note, at, how, ICONS.archive)];
  });
}

function otherChange(note: MemoryNote, at: Instant, what: string, icon: string): RecentChange {
  return { at, title: note.memory.title, what, icon, undone: false, change: null, note };
}

function isSameEvent(change: Change, other: RecentChange): boolean {
  if (change.memoryId !== other.note?.memory.id || change.undone) return false;
  const moved = change.verb === "promoted" || change.verb === "let go" || change.verb === "outdated";
  return moved && Math.abs(change.at - other.at) < SAME;
}
