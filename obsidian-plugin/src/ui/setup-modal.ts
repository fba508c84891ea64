/** Says how an assistant is connected; the plugin itself talks to nobody. */

import { Modal } from "obsidian";

const COMMANDS = ["pipx install mnemex-vault", "mnemex init", "mnemex connect claude-desktop"];

export class SetupModal extends Modal {
  override onOpen(): void {
    const { contentEl } = this;
    this.setTitle("Connect an assistant");
    contentEl.addClass("mnemex-setup");
    contentEl.createEl("p", {
      text: "The server runs on your computer and lets an assistant remember in this vault. In a terminal:",
    });
    contentEl.createEl("pre").createEl("code", { text: COMMANDS.join("\n") });
    contentEl.createEl("p", {
      text: "Other assistants: mnemex connect --help. Nothing leaves your computer but what the assistant reads.",
    });
    const button = contentEl.createEl("button", { text: "Copy", cls: "mod-cta", attr: { type: "button" } });
    button.addEventListener("click", () => void navigator.clipboard.writeText(`${COMMANDS.join("\n")}\n`));
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
