/** How much is new since the last look: on the ribbon icon and in the status bar. */

import { setIcon } from "obsidian";
import type { Companion } from "./companion";
import { ICONS } from "./icons";
import { eventsOf } from "./learnt-model";

/** Return how many memories have news that this device has not shown. */
export function newsCount({ cache, journal, lastLook }: Companion): number {
  const source = { notes: cache.all(), changes: journal.all(), changed: cache.changedTexts, zone: cache.settings.zone };
  const fresh = eventsOf(source, lastLook.since).filter((event) => lastLook.isNew(event));
  return new Set(fresh.map(({ note }) => note.memory.id)).size;
}

export class News {
  private readonly badge: HTMLElement;
  private readonly count: HTMLElement;

  constructor(private readonly ribbon: HTMLElement, private readonly status: HTMLElement, private readonly companion: Companion) {
    ribbon.addClass("mnemex-ribbon");
    this.badge = ribbon.createSpan({ cls: "mnemex-badge", attr: { "aria-hidden": "true" } });
    status.addClasses(["mod-clickable", "mnemex-status"]);
    status.setAttribute("role", "button");
    status.tabIndex = 0;
    setIcon(status.createSpan({ cls: "mnemex-icon" }), ICONS.learnt);
    this.count = status.createSpan();
    status.addEventListener("click", () => void companion.openLearnt());
    status.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") void companion.openLearnt();
    });
    this.refresh();
  }

  refresh(): void {
    const count = newsCount(this.companion);
    const news = count === 1 ? "1 new memory" : `${count} new memories`;
    this.badge.toggle(count > 0);
    this.badge.setText(count > 99 ? "99+" : String(count));
    this.ribbon.setAttribute("aria-label", count > 0 ? `Show what was learnt, ${news}` : "Show what was learnt");
    this.status.toggle(count > 0 && this.companion.preferences.showStatus);
    this.count.setText(`${count} new`);
    this.status.setAttribute("aria-label", `${news}. Click to see what was learnt.`);
  }
}
