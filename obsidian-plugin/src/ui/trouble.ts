/** The line of the panel that says what cannot be read: the settings note, and notes in the memory folders. */

import { Menu } from "obsidian";
import { type Unreadable, UnreadableNotes } from "../obsidian/unreadable";
import type { Companion } from "./companion";
import { textButton, ICONS } from "./icons";

export class Trouble {
  private readonly el: HTMLElement;
  private readonly notes: UnreadableNotes;

  constructor(parent: HTMLElement, private readonly companion: Companion) {
    this.el = parent.createDiv({ cls: "mnemex-trouble", attr: { role: "status" } });
    this.el.hide();
    this.notes = new UnreadableNotes(companion.app);
  }

  /** Look again, and say what is wrong now. */
  async refresh(): Promise<void> {
    const { cache } = this.companion;
    const unreadable = await this.notes.find(cache.settings.layout);
    this.el.empty();
    this.el.toggle(cache.doubt !== null || unreadable.length > 0);
    if (cache.doubt !== null) {
      const text = `Settings in doubt: ${cache.doubt}. Until they are mended nothing is moved.`;
      textButton(this.el, ICONS.settings, text, () => void this.companion.openSettingsNote());
    }
    if (unreadable.length === 0) return;
    const text = unreadable.length === 1 ? "1 note cannot be read" : `${unreadable.length} notes cannot be read`;
    const button = textButton(this.el, ICONS.note, text, () => this.list(unreadable, button));
  }

  private list(unreadable: readonly Unreadable[], button: HTMLElement): void {
    const menu = new Menu();
    for (const { path, reason } of unreadable) {
      const title = `${path.slice(path.lastIndexOf("/") + 1)}: ${reason}`;
      menu.addItem((item) => item.setTitle(title).setIcon(ICONS.note).onClick(() => void this.companion.openNote(path)));
    }
    const box = button.getBoundingClientRect();
    menu.showAtPosition({ x: box.left, y: box.bottom });
  }
}
