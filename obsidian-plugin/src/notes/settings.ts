/** The settings note: what server and plugin agree on, read from its properties. */

import { type DecayCurve, Exponential, PowerLaw, TwoComponent } from "../domain/decay";
import type { Policy } from "../domain/scoring";
import { Zone } from "./dates";
import type { Properties } from "./frontmatter";
import { clash, DEFAULT_ROOT, type Layout, layoutBelow } from "./layout";

export interface VaultSettings {
  readonly policy: Policy;
  readonly layout: Layout;
  readonly zone: Zone;
  /** One line for each value that cannot be used; the default holds instead. */
  readonly problems: readonly string[];
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

const MODELS = ["power_law", "exponential", "two_component"] as const;

interface Limits {
  readonly low: number;
  readonly high?: number;
  readonly above?: boolean;
  readonly whole?: boolean;
}

const SHARE: Limits = { low: 0, high: 1 };
const POSITIVE: Limits = { low: 0, above: true };

/** Tell whether the properties are those of the settings note. */
export function isSettingsNote(properties: Properties): boolean {
  return typeof properties.mnemex === "string" && properties.mnemex.trim().toLowerCase() === "settings";
}

/** Read all settings; `root` is the folder of the settings note. Never throws. */
export function readSettings(properties: Properties, root = DEFAULT_ROOT): VaultSettings {
  const reader = new Reader(properties);
  const policy = readPolicy(reader);
  const layout = readLayout(reader, root);
  return { policy, layout, zone: readZone(reader), problems: reader.problems };
}

class Reader {
  readonly problems: string[] = [];
  private readonly preset: Preset;

  constructor(private readonly properties: Properties) {
    this.preset = PRESETS[this.choice("preset", Object.keys(PRESETS), "balanced")] ?? {};
  }

  number(key: string, standard: number, limits: Limits): number {
    return this.optional(key, limits) ?? this.preset[key] ?? standard;
  }

  optional(key: string, limits: Limits): number | null {
    const raw = this.raw(key);
    if (raw === null) return null;
    const value = typeof raw === "string" || typeof raw === "number" ? Number(raw) : Number.NaN;
    if (isWithinLimits(value, limits)) return value;
    this.problems.push(`${key}: ${describe(raw)} is out of range`);
    return null;
  }

  choice(key: string, words: readonly string[], standard: string): string {
    const raw = this.raw(key);
    if (raw === null) return standard;
    const wanted = typeof raw === "string" ? raw.trim().toLowerCase().replaceAll("-", "_") : "";
    const found = words.find((word) => word.replaceAll("-", "_") === wanted);
    if (found === undefined) this.problems.push(`${key}: must be one of ${words.join(", ")}`);
    return found ?? standard;
  }

  text(key: string): string | null {
    const raw = this.raw(key);
    if (raw === null) return null;
    if (typeof raw === "string" || typeof raw === "number") return String(raw).trim();
    this.problems.push(`${key}: must be a text`);
    return null;
  }

  private raw(key: string): unknown {
    const value = this.properties[key];
    return value === undefined || value === null || value === "" ? null : value;
  }
}

function describe(raw: unknown): string {
  return typeof raw === "string" || typeof raw === "number" ? String(raw) : "this value";
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
    reader.problems.push("review_danger_zone_min must be below review_danger_zone_max");
    [reviewMin, reviewMax] = [0.15, 0.35];
  }
  return {
    curve: readCurve(reader),
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

function readCurve(reader: Reader): DecayCurve {
  const model = reader.choice("decay_model", MODELS, "power_law");
  const halfLife = reader.number("pl_halflife_days", 3, POSITIVE);
  const alpha = reader.number("pl_alpha", 1.1, POSITIVE);
  const rate = reader.optional("decay_lambda", POSITIVE);
  const fast = reader.number("tc_lambda_fast", 1.603e-5, POSITIVE);
  const slow = reader.number("tc_lambda_slow", 1.147e-6, POSITIVE);
  const weight = reader.number("tc_weight_fast", 0.7, SHARE);
  if (model === "two_component") return new TwoComponent(fast, slow, weight);
  if (model === "power_law") return new PowerLaw(alpha, halfLife);
  return rate === null ? new Exponential(halfLife) : Exponential.fromRate(rate);
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
  reader.problems.push(problem);
  return layoutBelow(root);
}

function readFolder(reader: Reader, key: string): string | null {
  const text = reader.text(key);
  if (text === null) return null;
  const parts = text.split("/").map((part) => part.trim()).filter((part) => part !== "");
  const wrong = parts.some((part) => part.startsWith(".") || part.endsWith(".") || /[\\:*?"<>|]/.test(part));
  if (parts.length > 0 && !wrong) return parts.join("/");
  reader.problems.push(`${key}: ${text} is not a folder of the vault`);
  return null;
}

function readZone(reader: Reader): Zone {
  const name = reader.text("timezone");
  if (name === null) return Zone.ofDevice();
  try {
    return new Zone(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reader.problems.push(`timezone: ${name} is not a time zone such as Europe/Berlin`);
    return Zone.ofDevice();
  }
}
