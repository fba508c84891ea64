/** Says how a score comes about, step by step. */

import { Modal, type App } from "obsidian";
import { DAY_SECONDS } from "../domain/decay";
import { curveOf, idleSeconds } from "../domain/scoring";
import { drawCurve, type CurveContext } from "./curve";
import type { Standing } from "./standing";
import { figure, STATE_WORDS, TIER_WORDS } from "./words";

export interface Step {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** Return the factors of a score and what they come from. */
export function explainScore(item: Standing, { policy, words, now }: CurveContext): Step[] {
  const { usage } = item.note.memory;
  const power = Math.pow(Math.max(1, usage.useCount), policy.useExponent);
  const curve = curveOf(usage, policy);
  const idle = idleSeconds(usage, policy, now);
  const left = usage.pinned ? 1 : curve.retention(idle);
  const days = Number((idle / DAY_SECONDS).toFixed(1));
  const counted = policy.pauses.all.length > 0 ? "days in use" : "days";
  const halfLife = Number(curve.halfLifeDays.toFixed(2));
  return [
    { name: "Uses", value: power.toFixed(2), meaning: `${usage.useCount} to the power ${policy.useExponent}` },
    { name: "Strength", value: figure(usage.strength), meaning: "how important it is, 0 to 2" },
    {
      name: "Left",
      value: left.toFixed(3),
      meaning: usage.pinned
        ? "pinned, does not fade"
        : `${days} ${counted} since ${words.day(usage.lastUsed, now)}, half-life ${halfLife} days`,
    },
    { name: "Score", value: figure(item.score), meaning: "uses × strength × left" },
  ];
}

export class ExplainModal extends Modal {
  constructor(
    app: App,
    private readonly item: Standing,
    private readonly context: CurveContext,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { item, contentEl } = this;
    this.setTitle(item.note.memory.title);
    contentEl.addClass("mnemex-explain");
    const where = TIER_WORDS[item.note.tier].toLowerCase();
    const state = item.note.tier === "short-term" ? `, ${STATE_WORDS[item.state]}` : "";
    contentEl.createEl("p", { cls: "mnemex-explain-line", text: `${figure(item.score)}, ${where}${state}` });
    const table = contentEl.createEl("dl");
    for (const { name, value, meaning } of explainScore(item, this.context)) {
      table.createEl("dt", { text: name });
      table.createEl("dd", { cls: "mnemex-explain-value", text: value });
      table.createEl("dd", { text: meaning });
    }
    drawCurve(contentEl.createDiv(), item, { width: 440, height: 170 }, this.context);
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
