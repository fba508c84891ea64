import { expect, test } from "vitest";
import { usage, type Usage } from "../../src/domain/memory";
import { DEFAULT_POLICY, fadesAt, score } from "../../src/domain/scoring";
import { curveGeometry } from "../../src/ui/curve-geometry";
import { axisLabels, textWidth, type Label } from "../../src/ui/curve-labels";
import { describeCurve } from "../../src/ui/curve";
import { standing } from "../../src/ui/standing";
import { DAY, memoryNote, NOW, WORDS } from "../notes_of";

const SIZE = { width: 296, height: 152 };

function geometry(idleDays: number, facts: Partial<Usage> = {}, tier: "short-term" | "long-term" | "archived" = "short-term") {
  return curveGeometry(usage(NOW - idleDays * DAY, facts), tier, DEFAULT_POLICY, NOW, SIZE);
}

test("the curve falls, and stays within the drawing", () => {
  for (const idle of [0, 1, 10, 40, 48.5, 100]) {
    const { past, future, used } = geometry(idle);
    const points = [...past, ...future];
    const heights = points.map(({ y }) => y);
    expect(heights).toEqual([...heights].sort((one, other) => one - other));
    const inside = ({ x, y }: { x: number; y: number }): boolean => x >= 0 && x <= SIZE.width && y >= 13.99 && y <= SIZE.height - 20;
    expect([...points, ...used].every(inside)).toBe(true);
  }
});

test("the ring lies on the forget line, at the fade date", () => {
  const { fade, y, fadesAt: at } = geometry(10);
  expect(fade?.y).toBe(y.forget);
  expect(at).toBe(fadesAt(usage(NOW - 10 * DAY), DEFAULT_POLICY));
  expect(fade?.x).toBeCloseTo(1 + (296 - 2) / 1.16, 6);
});

test("one more use lifts the curve, and moves the fade date", () => {
  const { used, future, fadesAt: at, usedFadesAt } = geometry(10);
  expect(used[0]?.y).toBeLessThan(future[0]?.y ?? 0);
  expect(usedFadesAt ?? 0).toBeGreaterThan(at ?? 0);
});

test("what does not fade is one level line", () => {
  for (const one of [geometry(10, { pinned: true }), geometry(10, {}, "long-term")]) {
    expect(new Set([...one.past, ...one.future].map(({ y }) => y)).size).toBe(1);
    expect(one.fade).toBeNull();
    expect(one.used).toEqual([]);
  }
});

test("what has faded has its ring to the left of now", () => {
  const { fade, now } = geometry(100, {}, "archived");
  expect(fade?.x).toBeLessThan(now.x);
});

function spanOf({ text, x, anchor }: Label): { left: number; right: number } {
  const width = textWidth(text);
  const left = anchor === "start" ? x : x - width / 2;
  return { left, right: left + width };
}

test("labels never touch, wherever now and the fade date lie", () => {
  for (let now = 0; now <= 296; now += 3) {
    for (let fade = 0; fade <= 296; fade += 3) {
      const labels = axisLabels(296, "used 2 Aug", { text: "now", x: now }, { text: "fades 13 Oct", x: fade });
      const spans = labels.map(spanOf).sort((one, other) => one.left - other.left);
      const gaps = spans.slice(1).map(({ left }, index) => left - (spans[index]?.right ?? Number.NaN));
      expect(gaps.every((gap) => gap >= 2)).toBe(true);
      expect(spans.every(({ left, right }) => left >= 0 && right <= 296)).toBe(true);
    }
  }
});

test("the curve is told in words", () => {
  const context = { name: "x", policy: DEFAULT_POLICY, words: WORDS, now: NOW };
  const tell = (note: ReturnType<typeof memoryNote>): string => {
    const item = standing(note, DEFAULT_POLICY, NOW);
    return describeCurve(item, curveGeometry(note.memory.usage, note.tier, DEFAULT_POLICY, NOW, SIZE), context);
  };
  expect(tell(memoryNote("a", { idleDays: 10 }))).toBe(
    "Score 0.22 now, falling to 0.05 on 8 Jan. If used today it would fade on 10 Feb.",
  );
  expect(tell(memoryNote("b", { idleDays: 10, usage: { pinned: true } }))).toBe("Score 1.00, pinned, does not fade.");
  expect(tell(memoryNote("c", { idleDays: 100, path: "Memories/Archive/2026/c.md" }))).toBe(
    "Score 0.02 now, below 0.05 since 10 Oct.",
  );
});

test("the dot stands at the score of now", () => {
  const { now, y } = geometry(10);
  const value = score(usage(NOW - 10 * DAY), DEFAULT_POLICY, NOW);
  expect(value > DEFAULT_POLICY.reviewMin && now.y < y.reviewMin && now.y > y.reviewMax).toBe(true);
});
