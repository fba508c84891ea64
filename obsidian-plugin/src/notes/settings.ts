/** The settings note: what server and plugin agree on, read from its properties. */

import { curveOf, type Given, type Limits, Pauses, POSITIVE, SHARE } from "../domain/decay";
import type { Policy } from "../domain/scoring";
import type { Approve } from "../domain/trust";
import { Zone } from "./dates";
import type { Properties } from "./frontmatter";
import { clash, DEFAULT_ROOT, type Layout, layoutBelow } from "./layout";

/** The values of a settings note that could be used, by key. */
export type Accepted = Readonly<Record<string, string | number>>;

export interface VaultSettings {
  readonly policy: Policy;
  readonly layout: Layout;
  readonly zone: Zone;
  /** Whose memories wait for a yes. */
  readonly approve: Approve;
  /** One line for each value that cannot be used; the last good one holds instead, else the default. */
  readonly problems: readonly string[];
  readonly accepted: Accepted;
  /** Why it is not certain which folders are meant, null if it is. */
  readonly layoutProblem: string | null;
}

type Preset = Readonly<Record<string, number>>;

// the same values as the server's
const PRESETS: Readonly<Record<string, Preset>> = {
  balanced: {},
  personal: { pl_halflife_days: 3 },
  development: { pl_halflife_days: 1 },
  research: { pl_halflife_days: 14, decay_beta: 0.5, promote_threshold: 0.6 },
  "high-velocity": { pl_halflife_days: 1, decay_beta: 0.8, forget_threshold: 0.1, promote_threshold: 0.7 },
  decisions: { pl_halflife_days: 7, decay_beta: 0.8 },
  tidy: { pl_halflife_days: 2, forget_threshold: 0.08 },
};

const LONGEST_NAME = 255;
// numbers as the server reads them from text
const DIGITS = "[0-9](?:_?[0-9])*";
const NUMBER = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?$`, "i");
const EDGES = /^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g;

/** Tell whether the properties are those of the settings note. */
export function isSettingsNote(properties: Properties): boolean {
  return typeof properties.mnemex === "string" && properties.mnemex.trim().toLowerCase() === "settings";
}

/**
 * Read all settings; `root` is the folder of the settings note, `lastGood` what it said before: that stays in place of a
 * value that cannot be used. Never throws.
 */
export function readSettings(properties: Properties, root = DEFAULT_ROOT, lastGood: Accepted = {}): VaultSettings {
  const reader = new Reader(properties, lastGood);
  const policy = readPolicy(reader);
  const before = reader.problems.length;
  const layout = readLayout(reader, root);
  const layoutProblem = reader.problems[before] ?? null;
  const zone = readZone(reader);
  // a note that anybody may write can only make this stricter
  const approve = reader.choice<Approve>("approve", ["web", "ai"], "web");
  const { problems, accepted } = reader;
  return { policy, layout, zone, approve, problems, accepted, layoutProblem };
}

/** Reads one value, or says why it cannot be used. */
type Read<T> = (raw: string | number) => T | BadValue;

class BadValue {
  constructor(readonly reason: string) {}
}

class Reader implements Given {
  readonly problems: string[] = [];
  readonly accepted: Record<string, string | number> = {};
  private readonly preset: Preset;

  constructor(
    private readonly properties: Properties,
    private readonly lastGood: Accepted,
  ) {
    this.preset = PRESETS[this.choice("preset", Object.keys(PRESETS), "balanced")] ?? {};
  }

  number(key: string, standard: number, limits: Limits): number {
    return this.optional(key, limits) ?? this.standard(key, standard);
  }

  optional(key: string, limits: Limits): number | null {
    return this.value(key, (raw) => {
      const value = numberIn(raw);
      return value !== null && isWithinLimits(value, limits) ? value : new BadValue("is out of range");
    });
  }

  /** Return what holds where the note says nothing. */
  standard(key: string, standard: number): number {
    return this.preset[key] ?? standard;
  }

  choice<Word extends string>(key: string, words: readonly Word[], standard: Word): Word {
    const found = this.value(key, (raw) => {
      const wanted = folded(stripped(String(raw)));
      return words.find((word) => folded(word) === wanted) ?? new BadValue(`must be one of ${words.join(", ")}`);
    });
    return found ?? standard;
  }

  value<T extends string | number>(key: string, read: Read<T>): T | null {
    const raw = this.properties[key];
    if (isBlank(raw)) return null;
    const value = isPlain(raw) ? read(raw) : new BadValue("must be a text");
    if (!(value instanceof BadValue)) return this.accept(key, value);
    this.problems.push(`${key}: ${isPlain(raw) ? String(raw) : "this value"} ${value.reason}`);
    return this.earlier(key, read);
  }

  private earlier<T extends string | number>(key: string, read: Read<T>): T | null {
    const raw = this.lastGood[key];
    const value = raw === undefined ? null : read(raw);
    return value === null || value instanceof BadValue ? null : this.accept(key, value);
  }

  /** Leave out what does not fit together. */
  drop(keys: readonly string[], problem: string): void {
    this.problems.push(problem);
    for (const key of keys) delete this.accepted[key];
  }

  private accept<T extends string | number>(key: string, value: T): T {
    this.accepted[key] = value;
    return value;
  }
}

function isPlain(raw: unknown): raw is string | number {
  return typeof raw === "string" || typeof raw === "number";
}

function isBlank(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === "string" && stripped(raw) === "");
}

function stripped(text: string): string {
  return text.replaceAll("\ufeff", "\0").replace(EDGES, "").replaceAll("\0", "\ufeff");
}

// the dotless i is a letter of its own
function folded(word: string): string {
  return word.replace(/[^ı]+/g, (part) => part.toUpperCase().toLowerCase()).replaceAll("-", "_");
}

function numberIn(raw: string | number): number | null {
  if (typeof raw === "number") return raw;
  const text = stripped(raw).replace(/\p{Nd}/gu, digit);
  return NUMBER.test(text) ? Number(text.replaceAll("_", "")) : null;
}

// the digits of each script follow each other from zero to nine
function digit(letter: string): string {
  let below = 0;
  const code = letter.codePointAt(0) ?? 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++;
  return String(below % 10);
}

function isWithinLimits(value: number, limits: Limits): boolean {
  if (!Number.isFinite(value) || (limits.whole === true && !Number.isInteger(value))) return false;
  const lowEnough = limits.above === true ? value > limits.low : value >= limits.low;
  return lowEnough && value <= (limits.high ?? Number.MAX_VALUE);
}

function readPolicy(reader: Reader): Policy {
  let reviewMin = reader.number("review_danger_zone_min", 0.15, SHARE);
  let reviewMax = reader.number("review_danger_zone_max", 0.35, SHARE);
  if (reviewMin >= reviewMax) {
    const keys = ["review_danger_zone_min", "review_danger_zone_max"];
    reader.drop(keys, "review_danger_zone_min must be below review_danger_zone_max");
    [reviewMin, reviewMax] = [0.15, 0.35];
  }
  return {
    curve: curveOf(reader),
    clock: reader.choice("decay_clock", ["days", "active_days"], "days"),
    pauses: new Pauses(),
    useExponent: reader.number("decay_beta", 0.6, { low: 0, high: 2 }),
    forgetThreshold: reader.number("forget_threshold", 0.05, SHARE),
    forgetAfterDays: reader.optional("forget_after_days", POSITIVE),
    promoteThreshold: reader.number("promote_threshold", 0.65, SHARE),
    promoteUseCount: reader.number("promote_use_count", 5, { low: 1, whole: true }),
    promoteWindowDays: reader.number("promote_time_window", 14, POSITIVE),
    promoteMinUses: reader.number("promote_min_uses", 3, { low: 0, whole: true }),
    promoteMinDays: reader.number("promote_min_days", 2, { low: 0, whole: true }),
    reviewMin,
    reviewMax,
  };
}

function readLayout(reader: Reader, root: string): Layout {
  const given: { shortTerm?: string; longTerm?: string; archive?: string } = {};
  const shortTerm = readFolder(reader, "short_term_folder");
  const longTerm = readFolder(reader, "long_term_folder");
  const archive = readFolder(reader, "archive_folder");
  if (shortTerm !== null) given.shortTerm = shortTerm;
  if (longTerm !== null) given.longTerm = longTerm;
  if (archive !== null) given.archive = archive;
  const layout = layoutBelow(root, given);
  const problem = clash(layout);
  if (problem === null) return layout;
  reader.drop(["short_term_folder", "long_term_folder", "archive_folder"], problem);
  return layoutBelow(root);
}

function readFolder(reader: Reader, key: string): string | null {
  return reader.value(key, (raw) => {
    const parts = stripped(String(raw)).split("/").map(stripped).filter((part) => part !== "");
    return parts.length > 0 && parts.every(isFolderName) ? parts.join("/") : new BadValue("is not a folder of the vault");
  });
}

function isFolderName(part: string): boolean {
  const wrong = part.startsWith(".") || part.endsWith(".") || /[\\:*?"<>|\p{Cc}]/u.test(part.replace(/[\x80-\x9f]/g, ""));
  return !wrong && new TextEncoder().encode(part).length <= LONGEST_NAME;
}

function readZone(reader: Reader): Zone {
  const name = reader.value("timezone", (raw) => {
    const given = stripped(String(raw));
    return zoneNamed(given) ? given : new BadValue("is not a time zone such as Europe/Berlin");
  });
  return name === null ? Zone.ofDevice() : new Zone(name);
}

// what engines accept besides the names of the database
const NOT_OF_THE_DATABASE = /^(A[CEGRS]T|B[ES]T|C[ANST]T|CTT|E[AC]T|[IJP]ST|IET|MIT|N[ES]T|P[LNR]T|SST|VST|SystemV\/.*)$/i;

function zoneNamed(name: string): boolean {
  if (!/^[a-z]/i.test(name) || NOT_OF_THE_DATABASE.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}
