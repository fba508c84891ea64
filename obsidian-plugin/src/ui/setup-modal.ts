/** Says how an assistant is connected, and when one was last heard of; the plugin itself talks to nobody. */

import { FileSystemAdapter, Modal, Platform, type App } from "obsidian";
import type { Instant } from "../domain/memory";
import type { MemoryNote } from "../obsidian/memory-cache";

/** Return when an assistant last saved or used a memory, as far as the notes tell; null if none did. */
export function lastSignOfLife(notes: readonly MemoryNote[]): Instant | null {
  const times = notes
    .filter(({ memory }) => memory.origin === "ai")
    .map(({ memory: { usage } }) => Math.max(usage.created, usage.lastUsed));
  return times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other));
}

/** Return what is typed into a terminal for a vault in this folder. */
export function setupCommands(folder: string, windows: boolean): string[] {
  return ["uv tool install mnemex-vault", `mnemex init ${quoted(folder, windows)}`, "mnemex connect"];
}

function quoted(path: string, windows: boolean): string {
  if (/^[\w./+-]+$/.test(path)) return path;
  // PowerShell doubles a quotation mark, other shells leave the quotation for it
  return `'${path.replaceAll("'", windows ? "''" : "'\\''")}'`;
}

export class SetupModal extends Modal {
  /** `heard` says when an assistant was last heard of, empty if never. */
  constructor(app: App, private readonly heard: string) {
    super(app);
  }

  override onOpen(): void {
    const { contentEl } = this;
    const { adapter } = this.app.vault;
    this.setTitle("Connect an assistant");
    contentEl.addClass("mnemex-setup");
    const heard = this.heard === "" ? "No assistant has saved anything here yet." : this.heard;
    contentEl.createEl("p", { cls: "mnemex-heard", text: heard });
    if (Platform.isMobile || !(adapter instanceof FileSystemAdapter)) this.explainComputer();
    else this.showCommands(setupCommands(adapter.getBasePath(), Platform.isWin));
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private explainComputer(): void {
    this.contentEl.createEl("p", {
      text:
        "Set it up on your computer: the server runs there, on a copy of this vault. What assistants save comes here " +
        "with your sync, and what you do here goes back the same way.",
    });
  }

  private showCommands(commands: readonly string[]): void {
    const { contentEl } = this;
    contentEl.createEl("p", {
      text: "The server runs on your computer and lets an assistant remember in this vault. In a terminal:",
    });
    contentEl.createEl("pre").createEl("code", { text: commands.join("\n") });
    contentEl.createEl("p", {
      text: "The last one lists the assistants that are found. Nothing leaves your computer but what the assistant reads.",
    });
    const button = contentEl.createEl("button", { text: "Copy", cls: "mod-cta", attr: { type: "button" } });
    button.addEventListener("click", () => void navigator.clipboard.writeText(`${commands.join("\n")}\n`));
  }
}
