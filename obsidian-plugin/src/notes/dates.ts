/** Dates as notes hold them: local wall time of the vault's zone, without a zone. */

import type { Instant } from "../domain/memory";

const MINUTE = 60_000;
const DAY = 86_400_000;
// outside these years a time is a slip of the pen or a placeholder
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2201, 0, 1);
// larger numbers of seconds lie beyond the year 5000, so that they are milliseconds
const MILLISECONDS_FROM = 1e11;

const WALL_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:(?:T| +)(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? *(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A time zone: the rules that turn wall time into instants and back. */
export class Zone {
  private readonly format: Intl.DateTimeFormat;
  // the offset of each UTC day that has one offset only; null on days of a change
  private readonly offsets = new Map<number, number | null>();

  /** Throws RangeError on a name that is not in the time zone database. */
  constructor(readonly name: string) {
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      era: "short",
    });
  }

  /** Return the zone of the device. */
  static ofDevice(): Zone {
    return new Zone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  }

  /** Return local time minus UTC in milliseconds. */
  offset(instant: Instant): number {
    const day = Math.floor(instant / DAY);
    let known = this.offsets.get(day);
    if (known === undefined) {
      const first = this.measure(day * DAY);
      known = first === this.measure((day + 1) * DAY) ? first : null;
      this.offsets.set(day, known);
    }
    return known ?? this.measure(instant);
  }

  /** Return the instant of a wall time given as if it were UTC; the first reading of a repeated hour is meant. */
  instant(wall: number): Instant {
    const before = this.offset(wall - DAY);
    const after = this.offset(wall + DAY);
    const early = wall - before;
    if (before === after || this.offset(early) === before) return early;
    const late = wall - after;
    return this.offset(late) === after ? late : early;
  }

  /** Return the wall time of an instant, as if it were UTC. */
  wall(instant: Instant): number {
    return instant + this.offset(instant);
  }

  private measure(instant: Instant): number {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.format.formatToParts(instant)) parts[type] = value;
    const wall = new Date(0);
    wall.setUTCFullYear(Number(parts.year), Number(parts.month) - 1, Number(parts.day));
    wall.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
    return wall.getTime() - Math.floor(instant / 1000) * 1000;
  }
}

/** Read a date property: local time, `Z` and offsets, `T12:00`, a date alone, epoch seconds or milliseconds. */
export function readInstant(value: unknown, zone: Zone): Instant | null {
  if (typeof value === "number") return within(Math.abs(value) >= MILLISECONDS_FROM ? value : value * 1000);
  if (typeof value !== "string") return null;
  const match = WALL_TIME.exec(value.trim());
  const wall = match ? within(wallOf(match)) : null;
  if (!match || wall === null) return null;
  const offset = match[7];
  return within(offset === undefined ? zone.instant(wall) : wall - offsetMilliseconds(offset));
}

/** Write an instant as Obsidian's property editor does: `YYYY-MM-DDTHH:mm:ss`. */
export function writeInstant(instant: Instant, zone: Zone): string {
  return new Date(zone.wall(Math.floor(instant / 1000) * 1000)).toISOString().slice(0, 19);
}

/** Return the calendar day of an instant as `YYYY-MM-DD`. */
export function writeDay(instant: Instant, zone: Zone): string {
  return new Date(zone.wall(instant)).toISOString().slice(0, 10);
}

/** Return the days from the calendar day of `from` to that of `to`. */
export function daysBetween(from: Instant, to: Instant, zone: Zone): number {
  return Math.floor(zone.wall(to) / DAY) - Math.floor(zone.wall(from) / DAY);
}

function within(instant: number | null): Instant | null {
  return instant !== null && instant >= EARLIEST && instant < LATEST ? instant : null;
}

function wallOf(match: RegExpExecArray): number | null {
  const part = (group: number): number => Number(match[group] ?? 0);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(part(1), month - 1, day);
  date.setUTCHours(hour, minute, second);
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() : null;
}

function offsetMilliseconds(text: string): number {
  if (text.toUpperCase() === "Z") return 0;
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/\D/g, "");
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0")) * MINUTE;
}
