import { expect, test } from "vitest";
import { Exponential, PowerLaw, TwoComponent } from "../../src/domain/decay";
import { DEFAULT_POLICY } from "../../src/domain/scoring";
import { tierOf } from "../../src/notes/layout";
import { isSettingsNote, readSettings } from "../../src/notes/settings";

test("an empty settings note means the defaults", () => {
  const settings = readSettings({ mnemex: "settings", timezone: "Europe/Berlin" });
  expect(settings.policy).toEqual(DEFAULT_POLICY);
  expect(settings.zone.name).toBe("Europe/Berlin");
  expect(settings.layout).toMatchObject({ shortTerm: "Memories/Short-term", archive: "Memories/Archive" });
  expect(settings.problems).toEqual([]);
});

test("every model is built from its own settings", () => {
  const curve = (properties: Record<string, unknown>) => readSettings(properties).policy.curve;
  expect(curve({ decay_model: "power-law", pl_halflife_days: 14, pl_alpha: 0.5 })).toEqual(new PowerLaw(0.5, 14));
  expect(curve({ decay_model: "exponential", pl_halflife_days: 7 })).toEqual(new Exponential(7));
  expect(curve({ decay_model: "exponential", decay_lambda: 1e-6 })).toEqual(Exponential.fromRate(1e-6));
  expect(curve({ decay_model: "two_component", tc_weight_fast: 0.5 })).toEqual(new TwoComponent(1.603e-5, 1.147e-6, 0.5));
});

test("a preset is a set of defaults", () => {
  const { policy } = readSettings({ preset: "research", promote_threshold: 0.9 });
  expect(policy).toMatchObject({ useExponent: 0.5, promoteThreshold: 0.9, curve: new PowerLaw(1.1, 14) });
});

test("a value that cannot be used is named and the default holds", () => {
  const settings = readSettings({
    decay_model: "linear",
    decay_beta: "much",
    forget_threshold: 7,
    timezone: "Mars",
    review_danger_zone_min: 0.9,
    archive_folder: "../x",
  });
  expect(settings.policy).toEqual(DEFAULT_POLICY);
  expect(settings.problems).toHaveLength(6);
});

test("the memory root follows the settings note", () => {
  const { layout } = readSettings({ long_term_folder: "Knowledge/" }, "Brain");
  expect(layout).toMatchObject({ shortTerm: "Brain/Short-term", longTerm: "Knowledge", archive: "Brain/Archive" });
  expect(tierOf("brain/short-term/sub/x.md", layout)).toBe("short-term");
  expect(tierOf("Brain/Archive/2026/x.md", layout)).toBe("archived");
  expect(tierOf("Projects/x.md", layout)).toBe("long-term");
});

test("folders that lie within each other are refused", () => {
  expect(readSettings({ archive_folder: "Memories/Short-term/Old" }).problems).toHaveLength(1);
});

test("the settings note is known by its property", () => {
  expect(isSettingsNote({ mnemex: "settings" })).toBe(true);
  expect(isSettingsNote({ mnemex: "review" })).toBe(false);
});
