/** What stands above the list: buttons, search box, tiers, and the tag that is filtered by. */

import { setIcon } from "obsidian";
import { TIERS, type Tier } from "../domain/memory";
import { iconButton, ICONS } from "./icons";
import { quantity, TIER_WORDS } from "./words";

export interface HeaderEvents {
  review(): void;
  dashboard(): void;
  sort(event: MouseEvent): void;
  collapse(): void;
  more(event: MouseEvent): void;
  search(text: string): void;
  tier(tier: Tier): void;
  clearTag(): void;
  intoList(): void;
}

export class PanelHeader {
  private readonly input: HTMLInputElement;
  private readonly clear: HTMLElement;
  private readonly collapse: HTMLElement;
  private readonly chip: HTMLElement;
  private readonly tabs = new Map<Tier, { readonly button: HTMLElement; readonly count: HTMLElement }>();

  constructor(parent: HTMLElement, private readonly events: HeaderEvents) {
    const buttons = parent.createDiv({ cls: "nav-header" }).createDiv({ cls: "nav-buttons-container" });
    iconButton(buttons, ICONS.review, "Review", () => events.review());
    iconButton(buttons, ICONS.dashboard, "Open dashboard", () => events.dashboard());
    iconButton(buttons, ICONS.sort, "Change sort order", (event) => events.sort(event));
    this.collapse = iconButton(buttons, ICONS.collapse, "Collapse all", () => events.collapse());
    iconButton(buttons, ICONS.more, "More options", (event) => events.more(event));
    const box = parent.createDiv({ cls: "mnemex-search" });
    setIcon(box.createSpan({ cls: "mnemex-search-icon" }), ICONS.search);
    this.input = box.createEl("input", {
      type: "search",
      placeholder: "Search memories...",
      attr: { "aria-label": "Search memories", enterkeyhint: "search", spellcheck: "false" },
    });
    this.clear = iconButton(box, ICONS.clear, "Clear search", () => this.setSearch(""));
    this.clear.addClass("mnemex-clear");
    this.chip = parent.createDiv({ cls: "mnemex-filter" });
    this.makeTabs(parent.createDiv({ cls: "mnemex-tiers", attr: { role: "tablist", "aria-label": "Tiers" } }));
    this.input.addEventListener("input", () => this.searched());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.searched();
  }

  /** Show which tier is open and how many each holds. */
  show(tier: Tier, counts: Readonly<Record<Tier, number>>, locale: string): void {
    for (const [own, { button, count }] of this.tabs) {
      button.toggleClass("is-active", own === tier);
      button.setAttribute("aria-selected", String(own === tier));
      button.tabIndex = own === tier ? 0 : -1;
      count.setText(quantity(counts[own], locale));
    }
  }

  showTag(tag: string | null): void {
    this.chip.empty();
    this.chip.toggle(tag !== null);
    if (tag === null) return;
    this.chip.createSpan({ text: `#${tag}` });
    iconButton(this.chip, ICONS.clear, "Clear tag filter", () => this.events.clearTag());
  }

  showCollapsed(collapsed: boolean): void {
    setIcon(this.collapse, collapsed ? ICONS.expand : ICONS.collapse);
    this.collapse.setAttribute("aria-label", collapsed ? "Expand all" : "Collapse all");
  }

  setSearch(text: string): void {
    this.input.value = text;
    this.searched();
    this.input.focus();
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private searched(): void {
    this.clear.toggle(this.input.value !== "");
    this.events.search(this.input.value.trim());
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.input.value !== "") {
      event.preventDefault();
      this.setSearch("");
    }
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.events.intoList();
    }
  }

  private makeTabs(parent: HTMLElement): void {
    for (const tier of TIERS) {
      const button = parent.createEl("button", { text: TIER_WORDS[tier], attr: { role: "tab", type: "button" } });
      this.tabs.set(tier, { button, count: button.createSpan() });
      button.addEventListener("click", () => this.events.tier(tier));
      button.addEventListener("keydown", (event) => this.onTabKey(event, tier));
    }
  }

  private onTabKey(event: KeyboardEvent, tier: Tier): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = TIERS[(TIERS.indexOf(tier) + step + TIERS.length) % TIERS.length] ?? tier;
    this.events.tier(next);
    this.tabs.get(next)?.button.focus();
  }
}
