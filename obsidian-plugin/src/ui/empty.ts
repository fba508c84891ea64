/** What the panel says where there is nothing to list. */

import type { Tier } from "../domain/memory";
import { TIER_WORDS } from "./words";

export interface EmptyEvents {
  connect(): void;
  write(): void;
  show(tier: Tier): void;
  clear(): void;
}

/** Nothing remembered at all. */
export function showNothingYet(parent: HTMLElement, events: Pick<EmptyEvents, "connect" | "write">): void {
  parent.createEl("p", { text: "Nothing remembered yet. What your assistant saves appears here as notes." });
  button(parent, "Connect an assistant", "mod-cta", () => events.connect());
  button(parent, "Write a memory yourself", "mnemex-link-button", () => events.write());
}

/** Something is there, but not in this tier. */
export function showEmptyTier(parent: HTMLElement, tier: Tier): void {
  const texts: Readonly<Record<Tier, string>> = {
    "short-term": "Nothing is fading: no short-term memories.",
    "long-term": "No long-term memories yet. What is used again and again is promoted, or promote it yourself.",
    archived: "Nothing was let go. Memories that fade come here and can be restored.",
  };
  parent.createEl("p", { text: texts[tier] });
}

/** Nothing matches here; say where something does. */
export function showNoMatch(
  parent: HTMLElement,
  tier: Tier,
  what: string,
  matches: Readonly<Record<Tier, number>>,
  events: EmptyEvents,
): void {
  const text = parent.createEl("p");
  text.appendText(`No ${TIER_WORDS[tier].toLowerCase()} memory matches `);
  text.createSpan({ cls: "mnemex-quoted", text: `“${what}”` });
  text.appendText(".");
  const elsewhere = (["short-term", "long-term", "archived"] as const).filter((other) => matches[other] > 0);
  for (const other of elsewhere) {
    button(parent, `Show ${matches[other]} ${TIER_WORDS[other].toLowerCase()}`, "", () => events.show(other));
  }
  if (elsewhere.length === 0) button(parent, "Clear search", "", () => events.clear());
}

function button(parent: HTMLElement, text: string, cls: string, act: () => void): void {
  const el = parent.createEl("button", { text, attr: { type: "button" } });
  if (cls !== "") el.addClass(cls);
  el.addEventListener("click", act);
}
