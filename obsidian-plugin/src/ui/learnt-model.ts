/** The stream by day: what was saved, used, promoted and changed, made from the notes alone. */

import type { Instant } from "../domain/memory";
import { readInstant, type Zone } from "../notes/dates";
import type { Change, Verb } from "../obsidian/journal";
import type { Seeable } from "../obsidian/last-look";
import type { MemoryNote } from "../obsidian/memory-cache";

/** In the order in which they are said. */
export type Happening = "saved" | "promoted" | "changed" | "used";

export interface Event extends Seeable {
  readonly what: Happening;
  readonly note: MemoryNote;
}

/** A heading: a day, or whatever the label says. */
export interface DayLine {
  readonly kind: "day";
  readonly key: string;
  /** `YYYY-MM-DD` in the vault's time, empty where it is no day. */
  readonly day: string;
  readonly at: Instant;
  readonly label?: string;
  readonly count: number;
}

/** One memory on one day. */
export interface LearntLine {
  readonly kind: "learnt";
  readonly key: string;
  readonly note: MemoryNote;
  readonly at: Instant;
  readonly what: readonly string[];
  readonly isNew: boolean;
  readonly position: number;
  readonly size: number;
}

/** What stands below a memory while it is changed, or while it is chosen on a touch screen. */
export interface BelowLine {
  readonly kind: "editor" | "actions";
  readonly key: string;
  readonly of: LearntLine;
}

export type StreamLine = DayLine | LearntLine | BelowLine;

export interface StreamSource {
  readonly notes: readonly MemoryNote[];
  /** The plugin's own changes: what a person did here is no news. */
  readonly changes: readonly Change[];
  /** By id of the memory: when someone else changed its text while the app ran. */
  readonly changed: ReadonlyMap<string, Instant>;
  readonly zone: Zone;
}

const ORDER: readonly Happening[] = ["saved", "promoted", "changed", "used"];
const OWN: Readonly<Record<Happening, ReadonlySet<Verb>>> = {
  saved: new Set(),
  changed: new Set(["edited"]),
  used: new Set(["used", "kept", "strengthened", "restored", "adopted"]),
  promoted: new Set(["promoted"]),
};
const DAY = 86_400_000;
// the note holds seconds, the journal milliseconds
const SAME = 2000;

/** Return what happened after a moment, in no order. */
export function eventsOf({ notes, changes, changed, zone }: StreamSource, after: Instant): Event[] {
  const own = new OwnChanges(changes);
  const events: Event[] = [];
  for (const note of notes) {
    const { id } = note.memory;
    for (const what of ORDER) {
      const last = momentOf(what, note, changed);
      const at = what === "used" ? own.useBefore(note, last, zone) : last;
      if (at !== null && at > after && !own.has(id, what, at)) events.push({ id: `${id} ${what} ${at}`, at, what, note });
    }
  }
  return events;
}

function momentOf(what: Happening, { memory }: MemoryNote, changed: ReadonlyMap<string, Instant>): Instant | null {
  const { usage, origin, id } = memory;
  if (what === "saved") return origin === null ? null : usage.created;
  if (what === "used") return usage.lastUsed > usage.created ? usage.lastUsed : null;
  return what === "promoted" ? usage.promoted : (changed.get(id) ?? null);
}

class OwnChanges {
  private readonly byMemory = new Map<string, Change[]>();

  constructor(changes: readonly Change[]) {
    for (const change of changes) filledIn(this.byMemory, change.memoryId, () => [] as Change[]).push(change);
  }

  has(memoryId: string, what: Happening, at: Instant): boolean {
    return this.at(memoryId, what, at) !== undefined;
  }

  /** Return the last use by somebody else: a use made here says which one it came after. */
  useBefore({ memory: { id, usage } }: MemoryNote, last: Instant | null, zone: Zone): Instant | null {
    const own = last === null ? undefined : this.at(id, "used", last);
    const before = own ? readInstant(own.set.last_used?.[0], zone) : null;
    return before === null || last === null || before >= last || before <= usage.created ? last : before;
  }

  private at(memoryId: string, what: Happening, at: Instant): Change | undefined {
    const changes = this.byMemory.get(memoryId);
    return changes?.find((change) => OWN[what].has(change.verb) && isOwnAt(change, what, at));
  }
}

// when a change of a text was undone is not recorded: from the change on, what is seen of it may be that
function isOwnAt(change: Change, what: Happening, at: Instant): boolean {
  if (change.undone) return what === "changed" && at >= change.at - SAME;
  return Math.abs(change.at - at) < SAME;
}

/** Return the lines of the stream, the latest day first; a memory stands once under each day. */
export function streamLines(events: readonly Event[], isNew: (event: Event) => boolean, zone: Zone): StreamLine[] {
  const days = new Map<number, Map<string, Event[]>>();
  for (const event of events) {
    const memories = filledIn(days, Math.floor(zone.wall(event.at) / DAY), () => new Map<string, Event[]>());
    filledIn(memories, event.note.memory.id, () => [] as Event[]).push(event);
  }
  const latest = [...days].sort(([one], [other]) => other - one);
  return latest.flatMap(([day, memories]) => linesOfDay(dayName(day), [...memories.values()], isNew));
}

function filledIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function dayName(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

function linesOfDay(day: string, memories: readonly Event[][], isNew: (event: Event) => boolean): StreamLine[] {
  const rows = memories.flatMap((events) => {
    const [first] = events;
    if (!first) return [];
    const at = Math.max(...events.map((event) => event.at));
    const what = ORDER.filter((word) => events.some((event) => event.what === word));
    return [{ key: `${day}/${first.note.memory.id}`, note: first.note, at, what, isNew: events.some(isNew) }];
  });
  rows.sort((one, other) => other.at - one.at || (one.key < other.key ? -1 : 1));
  const size = rows.length;
  const lines = rows.map((row, index): LearntLine => ({ kind: "learnt", ...row, position: index + 1, size }));
  return [{ kind: "day", key: day, day, at: lines[0]?.at ?? 0, count: size }, ...lines];
}
