import { expect, test } from "vitest";
import { readSettings, type VaultSettings } from "../../src/notes/settings";
import { vectors } from "../vectors";

interface SettingsVector {
  readonly note: Record<string, unknown>;
  readonly root: string;
  /** What differs from the defaults. */
  readonly settings: Record<string, unknown>;
  readonly problems: number;
}

function asVector({ policy, layout, accepted, approve }: VaultSettings): Record<string, unknown> {
  return {
    decay_beta: policy.useExponent,
    forget_threshold: policy.forgetThreshold,
    forget_after_days: policy.forgetAfterDays,
    promote_threshold: policy.promoteThreshold,
    promote_use_count: policy.promoteUseCount,
    promote_time_window: policy.promoteWindowDays,
    promote_min_uses: policy.promoteMinUses,
    promote_min_days: policy.promoteMinDays,
    review_danger_zone_min: policy.reviewMin,
    review_danger_zone_max: policy.reviewMax,
    decay_model: policy.curve.model,
    approve,
    timezone: accepted.timezone ?? null,
    folders: [layout.shortTerm, layout.longTerm, layout.archive],
    curve: policy.curve,
  };
}

// neither the sign of zero nor the capitals of a zone mean anything
function plain(values: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify({ ...values, timezone: String(values.timezone).toLowerCase() }));
}

const CURVE_KEYS = ["pl_halflife_days", "pl_alpha", "decay_lambda", "tc_lambda_fast", "tc_lambda_slow", "tc_weight_fast"];

test.each(vectors<SettingsVector[]>("settings.json"))("$note is read as the server does", ({ note, root, settings, problems }) => {
  const read = readSettings(note, root);
  const wanted = Object.fromEntries(Object.entries(settings).filter(([key]) => !CURVE_KEYS.includes(key)));
  const curve = Object.fromEntries(Object.entries(settings).filter(([key]) => CURVE_KEYS.includes(key) || key === "decay_model"));
  const expected = { ...asVector(readSettings({})), ...wanted, curve: readSettings(curve).policy.curve };
  expect(plain(asVector(read))).toEqual(plain(expected));
  expect(read.problems).toHaveLength(problems);
});
