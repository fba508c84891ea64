/** One conversation: what was saved in it, and what was used while it went on. */

import type { Instant } from "../domain/memory";
import type { Event } from "./learnt-model";

// a conversation is taken to go on so long around each thing that was saved in it
const AROUND = 30 * 60_000;

/** Return what happened in a conversation. */
export function trailOf(session: string, events: readonly Event[]): Event[] {
  const saved = events.filter(({ what, note }) => what === "saved" && note.memory.session === session);
  const times = saved.map(({ at }) => at).sort((one, other) => one - other);
  return [...saved, ...events.filter(({ what, at }) => what === "used" && isNear(at, times))];
}

function isNear(at: Instant, sorted: readonly Instant[]): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < at - AROUND) low = middle + 1;
    else high = middle;
  }
  const next = sorted[low];
  return next !== undefined && next <= at + AROUND;
}
