/** "3 fading" in the status bar; absent when nothing fades. */

import { setIcon } from "obsidian";
import type { Companion } from "./companion";
import { ICONS } from "./icons";
import { reviewQueue } from "./standing";
import { memoriesAreFading } from "./words";

export class StatusBar {
  private readonly count: HTMLElement;

  constructor(private readonly el: HTMLElement, private readonly companion: Companion) {
    el.addClasses(["mod-clickable", "mnemex-status"]);
    el.setAttribute("role", "button");
    el.tabIndex = 0;
    setIcon(el.createSpan({ cls: "mnemex-icon" }), ICONS.curve);
    this.count = el.createSpan();
    el.addEventListener("click", () => void companion.openReview());
    el.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") void companion.openReview();
    });
    this.refresh();
  }

  refresh(): void {
    const { cache, preferences } = this.companion;
    const queue = reviewQueue(cache.present(), cache.settings.policy, this.companion.now());
    const fading = queue.filter(({ state }) => state === "fading").length;
    this.el.toggle(fading > 0 && preferences.showStatus);
    this.count.setText(`${fading} fading`);
    this.el.setAttribute("aria-label", `${memoriesAreFading(fading)}. Click to review.`);
  }
}
