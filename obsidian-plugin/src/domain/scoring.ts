/**
 * One pure function each for score, forgetting, promotion, review priority and the time of fading.
 *
 * `score = use_count^beta * retention(now - last_used) * strength`, unbounded above; a pinned memory, and one of a
 * standing kind, does not decay. Nor does anything during the pauses of the policy.
 */

import { DAY_SECONDS, type DecayClock, type DecayCurve, Pauses, PowerLaw, type Span } from "./decay";
import { type Instant, isLasting, type Tier, type Usage } from "./memory";

const REVIEW_DUE = 0.3;
// dates beyond this are not shown to people: the memory practically does not fade
const HORIZON_SECONDS = 365 * 200 * DAY_SECONDS;
const LATEST_LAST_USED = Date.UTC(9001, 0, 1);

/** What people are told about a short-term memory. */
export type State = "fading" | "due" | "fresh" | "pinned";

export type PromotionReason = "high score" | "frequent use";

/** All that scoring depends on besides the memory and the time; the pauses end by the time that is asked about. */
export interface Policy {
  readonly curve: DecayCurve;
  readonly clock: DecayClock;
  readonly pauses: Pauses;
  readonly useExponent: number;
  readonly forgetThreshold: number;
  readonly forgetAfterDays: number | null;
  readonly promoteThreshold: number;
  readonly promoteUseCount: number;
  readonly promoteWindowDays: number;
  readonly promoteMinUses: number;
  readonly promoteMinDays: number;
  readonly reviewMin: number;
  readonly reviewMax: number;
}

export const DEFAULT_POLICY: Policy = {
  curve: new PowerLaw(),
  clock: "days",
  pauses: new Pauses(),
  useExponent: 0.6,
  forgetThreshold: 0.05,
  forgetAfterDays: null,
  promoteThreshold: 0.65,
  promoteUseCount: 5,
  promoteWindowDays: 14,
  promoteMinUses: 3,
  promoteMinDays: 2,
  reviewMin: 0.15,
  reviewMax: 0.35,
};

/** Return the score below which a memory is forgotten, derived from `forgetAfterDays` if that is set. */
export function forgetLevel(policy: Policy): number {
  if (policy.forgetAfterDays === null) return policy.forgetThreshold;
  return policy.curve.retention(policy.forgetAfterDays * DAY_SECONDS);
}

/** Return the curve of this memory: the vault's, or its own half-life. */
export function curveOf(usage: Usage, policy: Policy): DecayCurve {
  return usage.halfLifeDays === null ? policy.curve : policy.curve.withHalfLife(usage.halfLifeDays);
}

/** Return the score right after a use. */
export function peak(usage: Usage, policy: Policy): number {
  return Math.pow(Math.max(1, usage.useCount), policy.useExponent) * usage.strength;
}

/** Return the decay score, 0 or more and not bounded by 1; an age is never negative. */
export function score(usage: Usage, policy: Policy, now: Instant): number {
  if (isLasting(usage)) return peak(usage, policy);
  return peak(usage, policy) * curveOf(usage, policy).retention(idleSeconds(usage, policy, now));
}

/** Return how long a memory has not been used, by the clock of the policy. */
export function idleSeconds(usage: Usage, policy: Policy, now: Instant): number {
  if (policy.pauses.all.length === 0) return Math.max(0, now - usage.lastUsed) / 1000;
  return policy.pauses.passed(usage.lastUsed / 1000, now / 1000);
}

/** Return the policy with the pauses that these memories tell of, as they are known at `now`. */
export function withPauses(policy: Policy, pauses: Pauses, now: Instant): Policy {
  return policy.clock === "days" ? policy : { ...policy, pauses: pauses.until(now / 1000) };
}

/** Return the first and the last day of use, and the number of days. */
export function spanOf({ created, lastUsed, daysUsed }: Usage): Span {
  const [first, last] = [created, lastUsed].map((at) => Math.floor(at / 1000 / DAY_SECONDS)) as [number, number];
  return [Math.min(first, last), last, daysUsed];
}

/** Return `s / (s + c)` in [0, 1), c the upper end of the review zone. */
export function bounded(value: number, policy: Policy): number {
  return value / (value + policy.reviewMax);
}

/** Return what people are told about a score; for a pinned memory ask `state`. */
export function stateOfScore(value: number, policy: Policy): Exclude<State, "pinned"> {
  if (value < policy.reviewMin) return "fading";
  return value < policy.reviewMax ? "due" : "fresh";
}

/** Return what people are told, decided on the unrounded score. */
export function state(usage: Usage, policy: Policy, now: Instant): State {
  if (usage.pinned) return "pinned";
  return isLasting(usage) ? "fresh" : stateOfScore(score(usage, policy, now), policy);
}

/** Return the age in seconds, pauses aside, at which the score falls to `level`; null if it starts there or never does. */
export function secondsUntil(usage: Usage, policy: Policy, level: number): number | null {
  const start = peak(usage, policy);
  if (isLasting(usage) || level <= 0 || start <= level) return null;
  return curveOf(usage, policy).secondsUntil(level / start);
}

/** Return when the score falls to `level` without another use; null if it starts at or below it, or never does. */
export function fallsAt(usage: Usage, policy: Policy, level: number): Instant | null {
  const seconds = secondsUntil(usage, policy, level);
  return seconds === null ? null : afterUse(usage, policy, seconds);
}

function afterUse(usage: Usage, policy: Policy, seconds: number): Instant {
  return usage.lastUsed + policy.pauses.stretched(usage.lastUsed / 1000, seconds) * 1000;
}

/** Return when the score falls to the forget level without another use; null if not within 200 years. */
export function fadesAt(usage: Usage, policy: Policy): Instant | null {
  const level = forgetLevel(policy);
  if (isLasting(usage) || level <= 0) return null;
  const seconds = secondsUntil(usage, policy, level) ?? 0;
  if (seconds > HORIZON_SECONDS || usage.lastUsed >= LATEST_LAST_USED) return null;
  return afterUse(usage, policy, seconds);
}

/** Tell whether the score alone allows forgetting: strictly below the level, and neither pinned nor lasting. */
export function forgettable(usage: Usage, policy: Policy, now: Instant): boolean {
  return !isLasting(usage) && score(usage, policy, now) < forgetLevel(policy);
}

/** Return why a short-term memory deserves promotion, or null; web text never does by rule. */
export function promotionReason(
  usage: Usage,
  policy: Policy,
  now: Instant,
  origin: string | null = null,
): PromotionReason | null {
  if (origin === "web" || !seasoned(usage, policy)) return null;
  if (usage.promoted !== null && usage.lastUsed <= usage.promoted) return null;
  if (score(usage, policy, now) >= policy.promoteThreshold) return "high score";
  return isYoungAndFrequent(usage, policy, now) ? "frequent use" : null;
}

function isYoungAndFrequent(usage: Usage, policy: Policy, now: Instant): boolean {
  const ageDays = Math.max(0, now - usage.created) / 1000 / DAY_SECONDS;
  return usage.useCount >= policy.promoteUseCount && ageDays <= policy.promoteWindowDays;
}

/** Both guards against promoting what was only just saved; the save itself is the first use. */
function seasoned(usage: Usage, policy: Policy): boolean {
  return usage.useCount - 1 >= policy.promoteMinUses && usage.daysUsed >= policy.promoteMinDays;
}

/** Return `1 - ((s - mid)/half)^2` inside the review zone, else 0. */
export function reviewPriority(value: number, policy: Policy): number {
  if (!(value >= policy.reviewMin && value <= policy.reviewMax)) return 0;
  const middle = (policy.reviewMin + policy.reviewMax) / 2;
  const half = (policy.reviewMax - policy.reviewMin) / 2;
  return Math.max(0, 1 - ((value - middle) / half) ** 2);
}

/** Tell whether a short-term memory is worth showing again. */
export function reviewDue(usage: Usage, policy: Policy, now: Instant, tier: Tier = "short-term"): boolean {
  if (tier !== "short-term" || isLasting(usage)) return false;
  return reviewPriority(score(usage, policy, now), policy) >= REVIEW_DUE;
}
