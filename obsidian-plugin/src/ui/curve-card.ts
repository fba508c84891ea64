/** The card below the list: the curve of the selected memory, and what can be done to it. */

import type { MemoryNote } from "../obsidian/memory-cache";
import type { Companion } from "./companion";
import { drawCurve } from "./curve";
import { iconButton } from "./icons";
import { actionsFor } from "./memory-menu";
import { standing, type Standing } from "./standing";
import { figure, STATE_WORDS, used } from "./words";

const CURVE_HEIGHT = 152;

export class CurveCard {
  private readonly el: HTMLElement;
  private readonly title: HTMLElement;
  private readonly actions: HTMLElement;
  private readonly line: HTMLElement;
  private readonly drawing: HTMLElement;
  private note: MemoryNote | null = null;
  private width = 0;

  constructor(parent: HTMLElement, private readonly companion: Companion) {
    this.el = parent.createEl("section", { cls: "mnemex-card", attr: { "aria-label": "Decay of the selected memory" } });
    const header = this.el.createDiv({ cls: "mnemex-card-head" });
    this.title = header.createSpan({ cls: "mnemex-card-title" });
    this.actions = header.createSpan({ cls: "mnemex-card-actions" });
    this.line = this.el.createEl("p", { cls: "mnemex-card-line" });
    this.drawing = this.el.createDiv({ cls: "mnemex-card-curve" });
    this.el.hide();
  }

  /** Show a memory, or nothing. */
  show(note: MemoryNote | null): void {
    this.note = note;
    this.el.toggle(note !== null);
    if (!note) return;
    const { cache } = this.companion;
    const item = standing(note, cache.settings.policy, this.companion.now());
    this.title.setText(note.memory.title);
    this.fillActions(note);
    this.fillLine(item);
    this.width = this.drawing.clientWidth || 296;
    drawCurve(this.drawing, item, { width: this.width, height: CURVE_HEIGHT }, {
      name: "card",
      policy: cache.settings.policy,
      words: this.companion.words(),
      now: this.companion.now(),
    });
  }

  /** Draw again if the width changed. */
  resize(): void {
    if (this.note && this.drawing.clientWidth !== this.width) this.show(this.note);
  }

  private fillActions(note: MemoryNote): void {
    this.actions.empty();
    for (const { title, icon, action } of actionsFor(note)) {
      if (title !== "Strengthen") iconButton(this.actions, icon, title, () => void this.companion.perform(note, action));
    }
  }

  private fillLine(item: Standing): void {
    const { tier, memory } = item.note;
    this.line.empty();
    this.line.setAttribute("data-state", item.state);
    this.line.createEl("b", { text: figure(item.score) });
    this.line.createSpan({ text: tier === "short-term" ? STATE_WORDS[item.state] : tier });
    this.line.createSpan({ text: used(memory.usage.useCount) });
  }
}
