/** Writes a new memory. */

import { Modal, Setting, type App } from "obsidian";
import { titleFrom } from "../notes/names";
import { tagList } from "../notes/values";
import type { NewText } from "../obsidian/memory-actions";

export class MemoryModal extends Modal {
  private content = "";
  private title = "";
  private tags = "";

  /** `given` stands there already; what came from outside says so and keeps its origin. */
  constructor(app: App, private readonly save: (text: NewText) => void, private readonly given: Partial<NewText> = {}) {
    super(app);
    const { content = "", title = "", tags = [] } = given;
    Object.assign(this, { content, title, tags: tags.join(", ") });
  }

  override onOpen(): void {
    const { contentEl } = this;
    this.setTitle("New memory");
    contentEl.addClass("mnemex-new");
    if (this.given.origin !== undefined) {
      contentEl.createEl("p", { cls: "mnemex-outside", text: "A link asks to remember this. Read it before you do: assistants will." });
    }
    const area = contentEl.createEl("textarea", {
      cls: "mnemex-new-text",
      placeholder: "One fact, in a sentence that stands alone in a year.",
      attr: { rows: "4", "aria-label": "Memory", dir: "auto" },
    });
    area.value = this.content;
    area.addEventListener("input", () => {
      this.content = area.value;
    });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit();
    });
    this.addField("Title", this.title, (value) => (this.title = value.trim())).setDesc("Left empty, the first sentence is the title.");
    this.addField("Tags", this.tags, (value) => (this.tags = value));
    new Setting(contentEl)
      .addButton((button) => button.setButtonText("Cancel").onClick(() => this.close()))
      .addButton((button) => button.setButtonText("Remember").setCta().onClick(() => this.submit()));
    area.focus();
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private addField(name: string, value: string, change: (value: string) => void): Setting {
    return new Setting(this.contentEl).setName(name).addText((text) => {
      text.setValue(value).onChange(change);
      text.inputEl.setAttribute("aria-label", name);
    });
  }

  private submit(): void {
    const content = this.content.trim();
    if (content === "") return;
    this.close();
    this.save({ ...this.given, content, title: this.title === "" ? titleFrom(content) : this.title, tags: tagList(this.tags) });
  }
}
