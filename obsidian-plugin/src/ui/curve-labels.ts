/** Where the words under a curve go, so that they never touch. */

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  readonly strong: boolean;
}

const GAP = 3;
// the mean advance of 11 px text; wide scripts take about twice that
const NARROW = 6.3;
const WIDE = 11;

/** Return the width that a text of 11 px takes, rather too much than too little. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u1100-\uffdc]/.test(letter) ? WIDE : NARROW), 0);
}

/** Place "used 2 Aug" at the left edge, "now" and the fade date at their points, 2 px apart. */
export function axisLabels(
  width: number,
  used: string,
  now: { readonly text: string; readonly x: number },
  fade: { readonly text: string; readonly x: number } | null,
): Label[] {
  const nowHalf = textWidth(now.text) / 2;
  let nowX = clamp(now.x, nowHalf, width - nowHalf);
  const labels: Label[] = [];
  let leftmost = nowX - nowHalf;
  if (fade) {
    const half = textWidth(fade.text) / 2;
    let fadeX = clamp(fade.x, half, width - half);
    const apart = half + nowHalf + GAP;
    if (Math.abs(fadeX - nowX) < apart) {
      const after = fade.x >= now.x;
      fadeX = clamp(after ? nowX + apart : nowX - apart, half, width - half);
      if (Math.abs(fadeX - nowX) < apart) nowX = after ? fadeX - apart : fadeX + apart;
    }
    leftmost = Math.min(nowX - nowHalf, fadeX - half);
    labels.push({ text: fade.text, x: fadeX, anchor: "middle", strong: true });
  }
  labels.push({ text: now.text, x: nowX, anchor: "middle", strong: true });
  if (1 + textWidth(used) + GAP <= leftmost) labels.push({ text: used, x: 1, anchor: "start", strong: false });
  return labels;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
