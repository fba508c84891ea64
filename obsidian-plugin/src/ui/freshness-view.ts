/** A view for Bases, where the app has them: memories by state in the order of urgency, with scores as they are now. */

import { BasesView, Keymap, requireApiVersion, type Plugin, type QueryController } from "obsidian";
import type { Policy } from "../domain/scoring";
import type { MemoryNote } from "../obsidian/memory-cache";
import { Bar } from "./bar";
import type { Companion } from "./companion";
import { ICONS } from "./icons";
import { byDaysLeft, type Standing, standing } from "./standing";
import { figure, quantity } from "./words";

const FRESHNESS_VIEW = "mnemex-freshness";
const BASES_SINCE = "1.10.0";
const MINUTE = 60_000;
// a base may hold a whole vault
const SHOWN = 200;

export interface FreshnessGroup {
  readonly label: string;
  readonly items: readonly Standing[];
}

const ORDER: readonly (readonly [string, (item: Standing) => boolean])[] = [
  ["Fading", ({ note, state }) => note.tier === "short-term" && state === "fading"],
  ["Due for review", ({ note, state }) => note.tier === "short-term" && state === "due"],
  ["Fresh", ({ note, state }) => note.tier === "short-term" && state === "fresh"],
  ["Pinned", ({ note, state }) => note.tier === "short-term" && state === "pinned"],
  ["Long-term", ({ note }) => note.tier === "long-term"],
  ["Archived", ({ note }) => note.tier === "archived"],
];

/** Return the memories by state, the most urgent first. */
export function freshnessGroups(notes: readonly MemoryNote[], policy: Policy, now: number): FreshnessGroup[] {
  const items = notes.map((note) => standing(note, policy, now)).sort(byDaysLeft);
  const groups = ORDER.map(([label, belongs]) => ({ label, items: items.filter(belongs) }));
  return groups.filter((group) => group.items.length > 0);
}

/** Offer the view to Bases; where the app has none, nothing happens. */
export function registerFreshness(plugin: Plugin, companion: Companion): void {
  if (!requireApiVersion(BASES_SINCE)) return;

  // made here, since an older app has no such class to extend
  class FreshnessView extends BasesView {
    readonly type = FRESHNESS_VIEW;
    private readonly el: HTMLElement;

    constructor(controller: QueryController, parent: HTMLElement) {
      super(controller);
      this.el = parent.createDiv({ cls: "mnemex-freshness" });
    }

    override onload(): void {
      this.registerInterval(window.setInterval(() => this.el.isShown() && this.onDataUpdated(), MINUTE));
    }

    override onDataUpdated(): void {
      const notes = this.data.data.flatMap(({ file }) => companion.cache.at(file.path) ?? []);
      drawFreshness(this.el, notes, this.config.get("layout") === "cards", companion);
    }
  }

  plugin.registerBasesView(FRESHNESS_VIEW, {
    name: "Freshness",
    icon: ICONS.curve,
    factory: (controller, parent) => new FreshnessView(controller, parent),
    options: () => [
      { type: "dropdown", key: "layout", displayName: "Show as", default: "rows", options: { rows: "Rows", cards: "Cards" } },
    ],
  });
}

function drawFreshness(parent: HTMLElement, notes: readonly MemoryNote[], cards: boolean, companion: Companion): void {
  const now = companion.now();
  const { locale } = companion.words();
  parent.empty();
  if (notes.length === 0) parent.createEl("p", { cls: "mnemex-none", text: "No memories among these notes." });
  for (const { label, items } of freshnessGroups(notes, companion.cache.settings.policy, now)) {
    const heading = parent.createEl("h6", { text: label });
    heading.createSpan({ text: quantity(items.length, locale) });
    const group = parent.createDiv({ cls: cards ? "mnemex-cards" : "mnemex-rows" });
    for (const item of items.slice(0, SHOWN)) drawItem(group, item, companion);
    if (items.length > SHOWN) parent.createEl("p", { cls: "mnemex-none", text: `${quantity(items.length - SHOWN, locale)} more` });
  }
}

function drawItem(parent: HTMLElement, item: Standing, companion: Companion): void {
  const row = parent.createDiv({ cls: "mnemex-fresh" });
  const link = row.createEl("a", { cls: "mnemex-title", text: item.note.memory.title, href: "#" });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    void companion.openNote(item.note.path, Keymap.isModEvent(event));
  });
  const sub = row.createDiv({ cls: "mnemex-row-sub" });
  new Bar(sub).show(item);
  sub.createSpan({ text: figure(item.score) });
  const fades = item.note.tier === "short-term" && item.state !== "pinned";
  if (fades) sub.createSpan({ text: companion.words().fades(item.fadesAt, companion.now()) });
}
