/** Asks before many notes are changed at once. */

import { Modal, Setting, type App } from "obsidian";

export class ConfirmModal extends Modal {
  private answered = false;

  private constructor(
    app: App,
    private readonly title: string,
    private readonly count: number,
    private readonly answer: (yes: boolean) => void,
  ) {
    super(app);
  }

  /** Return whether the person agrees to change `count` notes. */
  static ask(app: App, title: string, count: number): Promise<boolean> {
    return new Promise((resolve) => new ConfirmModal(app, title, count, resolve).open());
  }

  override onOpen(): void {
    this.setTitle(this.title);
    this.contentEl.createEl("p", { text: `This changes ${this.count} notes. Each change can be undone.` });
    new Setting(this.contentEl)
      .addButton((button) => button.setButtonText("Cancel").onClick(() => this.close()))
      .addButton((button) =>
        button
          .setButtonText("Change")
          .setCta()
          .onClick(() => {
            this.answered = true;
            this.close();
          }),
      );
  }

  override onClose(): void {
    this.contentEl.empty();
    this.answer(this.answered);
  }
}
