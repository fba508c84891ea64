/** What frames a review: how far it is, and how it ends. */

import { setIcon } from "obsidian";
import { ICONS } from "./icons";
import type { Choice, ReviewQueue } from "./review-queue";
import { quantity } from "./words";

const MOST_SEGMENTS = 40;

/** Show how many are done, and that the rest can wait. */
export function drawProgress(page: HTMLElement, { done, size, waiting }: ReviewQueue, locale: string): void {
  const progress = page.createDiv({ cls: "mnemex-prog" });
  const track = progress.createSpan({ cls: "mnemex-prog-t", attr: { "aria-hidden": "true" } });
  const segments = Math.min(size, MOST_SEGMENTS);
  const reached = Math.floor((done / size) * segments);
  for (let index = 0; index < segments; index++) {
    const cls = index < reached ? "is-done" : index === reached ? "is-now" : "";
    track.createEl("i", cls === "" ? {} : { cls });
  }
  progress.createSpan({ text: `${done + 1} of ${size}` });
  if (waiting === 0) return;
  progress.createSpan({ cls: "mnemex-waiting", text: `${size} for today, ${quantity(waiting, locale)} can wait` });
}

const COUNTED: readonly (readonly [string, readonly Choice[]])[] = [
  ["kept", ["keep"]],
  ["promoted", ["promote"]],
  ["let go", ["let go"]],
  ["settled", ["newer", "older", "both"]],
  ["changed by others", ["gone"]],
  ["skipped", ["skip"]],
];

export function endHeading(queue: ReviewQueue): string {
  const reviewed = queue.size - queue.count("gone");
  if (queue.waiting > 0) return "That was it for today.";
  return reviewed === 1 ? "Reviewed." : `All ${reviewed} reviewed.`;
}

/** Say that it is done and what was decided; returns the place for what can be done next. */
export function drawEnd(page: HTMLElement, queue: ReviewQueue, heading: string, waiting: string): HTMLElement {
  const end = page.createDiv({ cls: "mnemex-review-end" });
  const done = end.createDiv({ cls: "mnemex-done", attr: { "aria-hidden": "true" } });
  setIcon(done.createSpan({ cls: "mnemex-icon" }), ICONS.use);
  const track = done.createDiv();
  for (let index = 0; index < Math.min(queue.size, MOST_SEGMENTS); index++) track.createEl("i");
  end.createEl("h2", { cls: "mnemex-review-focus", text: heading, attr: { tabindex: "-1" } });
  const counts = COUNTED.map(([word, choices]) => [word, queue.count(...choices)] as const).filter(([, count]) => count > 0);
  end.createEl("p", { text: counts.map(([word, count]) => `${count} ${word}`).join(", ") });
  if (waiting !== "") end.createEl("p", { cls: "mnemex-waiting", text: waiting });
  return end.createDiv({ cls: "mnemex-review-end-buttons" });
}
