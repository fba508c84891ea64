/** The menu of a memory, the same everywhere: in the panel, on files, in the note. */

import { Menu } from "obsidian";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Action, Companion } from "./companion";
import { ExplainModal } from "./explain";
import { ICONS } from "./icons";
import { standing } from "./standing";

interface Entry {
  readonly title: string;
  readonly icon: string;
  readonly action: Action;
}

/** Return what can be done to a memory, in the order of the menu. */
export function actionsFor(note: MemoryNote): Entry[] {
  if (note.tier === "archived") {
    return [{ title: "Restore", icon: ICONS.restore, action: (actions, it) => actions.restore(it) }];
  }
  const { pinned } = note.memory.usage;
  const pin: Entry = pinned
    ? { title: "Unpin", icon: ICONS.unpin, action: (actions, it) => actions.pin(it, false) }
    : { title: "Pin", icon: ICONS.pin, action: (actions, it) => actions.pin(it, true) };
  const move: Entry =
    note.tier === "short-term"
      ? { title: "Promote to long-term", icon: ICONS.promote, action: (actions, it) => actions.promote(it) }
      : { title: "Demote", icon: ICONS.demote, action: (actions, it) => actions.demote(it) };
  return [
    { title: "Use", icon: ICONS.use, action: (actions, it) => actions.use(it) },
    { title: "Strengthen", icon: ICONS.strengthen, action: (actions, it) => actions.strengthen(it) },
    pin,
    move,
  ];
}

/** Return what to offer in a note that a file menu is about. */
export function addActions(menu: Menu, note: MemoryNote, companion: Companion): void {
  for (const entry of [...actionsFor(note), ...letGo(note)]) {
    menu.addItem((item) =>
      item
        .setSection("mnemex")
        .setTitle(entry.title)
        .setIcon(entry.icon)
        .onClick(() => void companion.perform(note, entry.action)),
    );
  }
}

/** Build the menu of a row. */
export function memoryMenu(note: MemoryNote, companion: Companion): Menu {
  const menu = new Menu();
  addEntries(menu, actionsFor(note), note, companion);
  menu.addSeparator();
  addOpening(menu, note, companion);
  menu.addSeparator();
  menu.addItem((item) => item.setTitle("Explain score").setIcon(ICONS.curve).onClick(() => explain(note, companion)));
  addEntries(menu, letGo(note), note, companion);
  return menu;
}

/** Show how the score of a memory comes about. */
export function explain(note: MemoryNote, companion: Companion): void {
  const now = companion.now();
  const { policy } = companion.cache.settings;
  const context = { name: "explain", policy, now, words: companion.words() };
  new ExplainModal(companion.app, standing(note, policy, now), context).open();
}

function letGo(note: MemoryNote): Entry[] {
  if (note.tier === "archived") return [];
  return [{ title: "Let go", icon: ICONS.archive, action: (actions, it) => actions.archive(it) }];
}

function addEntries(menu: Menu, entries: readonly Entry[], note: MemoryNote, companion: Companion): void {
  for (const { title, icon, action } of entries) {
    menu.addItem((item) =>
      item
        .setTitle(title)
        .setIcon(icon)
        .onClick(() => void companion.perform(note, action)),
    );
  }
}

function addOpening(menu: Menu, note: MemoryNote, companion: Companion): void {
  const open = (title: string, icon: string, where: "tab" | "split"): void => {
    menu.addItem((item) =>
      item
        .setTitle(title)
        .setIcon(icon)
        .onClick(() => void companion.openNote(note.path, where)),
    );
  };
  open("Open in new tab", ICONS.tab, "tab");
  open("Open to the right", ICONS.split, "split");
  menu.addItem((item) =>
    item
      .setTitle("Copy link")
      .setIcon(ICONS.link)
      .onClick(() => void copyLink(note, companion)),
  );
}

async function copyLink(note: MemoryNote, { app }: Companion): Promise<void> {
  const file = app.vault.getFileByPath(note.path);
  if (file) await navigator.clipboard.writeText(app.fileManager.generateMarkdownLink(file, ""));
}
