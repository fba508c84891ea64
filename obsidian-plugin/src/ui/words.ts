/** All that is said to people about time, counts and states; dates are written in the language of the app. */

import type { Instant, Tier } from "../domain/memory";
import type { State } from "../domain/scoring";
import { daysBetween, type Zone } from "../notes/dates";

const COUNTED_DAYS = 60;
const YEAR_AFTER_DAYS = 300;

export const STATE_WORDS: Readonly<Record<State, string>> = {
  fading: "fading",
  due: "due for review",
  fresh: "fresh",
  pinned: "pinned",
};

export const TIER_WORDS: Readonly<Record<Tier, string>> = {
  "short-term": "Short-term",
  "long-term": "Long-term",
  archived: "Archived",
};

export class Words {
  // making a format is a hundred times dearer than using one
  private readonly formats = new Map<string, Intl.DateTimeFormat>();

  constructor(
    readonly zone: Zone,
    readonly locale: string,
  ) {}

  /** "12 Dec", with the year if that is not near `now`. */
  day(instant: Instant, now: Instant): string {
    const far = Math.abs(instant - now) > YEAR_AFTER_DAYS * 86_400_000;
    const options: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", ...(far ? { year: "numeric" } : {}) };
    return this.format(instant, options);
  }

  /** "Mon 24 Aug", or "Today" and "Yesterday". */
  dayHeading(instant: Instant, now: Instant): string {
    const days = daysBetween(instant, now, this.zone);
    if (days === 0) return "Today";
    if (days === 1) return "Yesterday";
    return `${this.format(instant, { weekday: "short" })} ${this.day(instant, now)}`;
  }

  /** "August", or "August 2025" in another year. */
  month(instant: Instant, now: Instant): string {
    const sameYear = this.format(instant, { year: "numeric" }) === this.format(now, { year: "numeric" });
    return this.format(instant, { month: "long", ...(sameYear ? {} : { year: "numeric" }) });
  }

  /** "09:12" of today, "yesterday 18:03", "24 Aug". */
  since(instant: Instant, now: Instant): string {
    const days = daysBetween(instant, now, this.zone);
    if (days <= 0) return this.time(instant);
    return days === 1 ? `yesterday ${this.time(instant)}` : this.day(instant, now);
  }

  time(instant: Instant): string {
    return this.format(instant, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  /** "fades in 12 days" up to 60 days, then "fades 12 Dec". */
  fades(at: Instant | null, now: Instant): string {
    if (at === null) return "does not fade";
    const days = daysBetween(now, at, this.zone);
    if (days <= 0) return "fades today";
    if (days === 1) return "fades tomorrow";
    return days <= COUNTED_DAYS ? `fades in ${days} days` : this.fadesOn(at, now);
  }

  /** "fades 12 Dec", or "fades today". */
  fadesOn(at: Instant | null, now: Instant): string {
    if (at === null) return "does not fade";
    return at <= now || daysBetween(now, at, this.zone) === 0 ? "fades today" : `fades ${this.day(at, now)}`;
  }

  private format(instant: Instant, options: Intl.DateTimeFormatOptions): string {
    const format = this.formatFor(options);
    if (!this.english || options.day === undefined) return format.format(instant);
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return [parts.day, parts.month, parts.year].filter((part) => part !== undefined).join(" ");
  }

  private formatFor(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = JSON.stringify(options);
    let format = this.formats.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(this.english ? "en-US" : this.locale, { ...options, timeZone: this.zone.name });
      this.formats.set(key, format);
    }
    return format;
  }

  private get english(): boolean {
    return this.locale.startsWith("en");
  }
}

/** "used once", "used 5 times". */
export function used(count: number): string {
  return count === 1 ? "used once" : `used ${count} times`;
}

/** A score as people see it: two decimals. */
export function figure(score: number): string {
  return score.toFixed(2);
}

/** "1 memory is fading", "3 memories are fading". */
export function memoriesAreFading(count: number): string {
  return count === 1 ? "1 memory is fading" : `${count} memories are fading`;
}

/** A count with thousands set off. */
export function quantity(count: number, locale: string): string {
  return new Intl.NumberFormat(locale.startsWith("en") ? "en-US" : locale).format(count);
}
