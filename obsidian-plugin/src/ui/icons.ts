/** Icons by meaning; all but the curve are Lucide's, as in the rest of Obsidian. */

import { addIcon, removeIcon, setIcon } from "obsidian";

export const ICONS = {
  curve: "mnemex-curve",
  review: "list-checks",
  dashboard: "layout-dashboard",
  sort: "arrow-up-narrow-wide",
  collapse: "chevrons-down-up",
  expand: "chevrons-up-down",
  more: "more-horizontal",
  search: "search",
  learnt: "sparkles",
  day: "calendar",
  trail: "message-square",
  back: "arrow-left",
  clipboard: "clipboard",
  both: "equal",
  profile: "user",
  use: "check",
  edit: "pencil",
  outdated: "circle-slash",
  strengthen: "trending-up",
  pin: "pin",
  unpin: "pin-off",
  promote: "arrow-up-to-line",
  demote: "arrow-left",
  archive: "archive",
  restore: "rotate-ccw",
  undo: "undo-2",
  skip: "arrow-right",
  chevron: "chevron-down",
  tab: "file-plus",
  split: "separator-vertical",
  link: "link",
  tag: "tag",
  clear: "x",
  add: "plus",
  note: "file-text",
  settings: "settings",
} as const;

// custom icons are drawn in a box of 100, Lucide's in one of 24
const CURVE =
  '<g transform="scale(4.1667)" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" ' +
  'stroke-linejoin="round"><path d="M3 3v16a2 2 0 0 0 2 2h16"/><path d="M7 5c1 7 5 11 13 11"/></g>';

/** Make the curve known to Obsidian; returns how to take it back. */
export function registerIcons(): () => void {
  addIcon(ICONS.curve, CURVE);
  return () => removeIcon(ICONS.curve);
}

/** Create a button that is an icon and says what it does. */
export function iconButton(parent: HTMLElement, icon: string, label: string, act: (event: MouseEvent) => void): HTMLElement {
  const button = parent.createEl("button", { cls: "clickable-icon", attr: { "aria-label": label, type: "button" } });
  setIcon(button, icon);
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    act(event);
  });
  return button;
}

/** Create a button of an icon and a word. */
export function textButton(parent: HTMLElement, icon: string, text: string, act: () => void): HTMLElement {
  const button = parent.createEl("button", { attr: { type: "button" } });
  setIcon(button.createSpan({ cls: "mnemex-icon" }), icon);
  button.createSpan({ text });
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return button;
}
