/** A small field in which a text is changed in place. */

export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly placeholder?: string;
  readonly save: string;
  /** A sentence: Enter saves, and a new line needs Shift. */
  readonly sentence?: boolean;
  typed(text: string): void;
  submit(text: string): void;
  cancel(): void;
}

export class TextEditor {
  readonly el: HTMLElement;
  private readonly area: HTMLTextAreaElement;

  constructor(parent: HTMLElement, private readonly options: EditorOptions) {
    const { label, text, placeholder = "", save } = options;
    this.el = parent.createDiv({ cls: "mnemex-editor" });
    this.area = this.el.createEl("textarea", {
      placeholder,
      attr: { "aria-label": label, dir: "auto", spellcheck: "true" },
    });
    this.area.value = text;
    this.area.addEventListener("input", () => options.typed(this.area.value));
    this.area.addEventListener("keydown", (event) => this.onKey(event));
    const row = this.el.createDiv({ cls: "mnemex-editor-row" });
    row.createSpan({ cls: "mnemex-editor-hint", text: options.sentence === true ? "Enter saves, Esc leaves it" : "Ctrl+Enter saves, Esc leaves it" });
    const cancel = row.createEl("button", { text: "Cancel", attr: { type: "button" } });
    cancel.addEventListener("click", () => options.cancel());
    const button = row.createEl("button", { cls: "mod-cta", text: save, attr: { type: "button" } });
    button.addEventListener("click", () => options.submit(this.area.value));
  }

  focus(): void {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(this.area.value.length, this.area.value.length);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const saves = event.key === "Enter" && (event.ctrlKey || event.metaKey || (this.options.sentence === true && !event.shiftKey));
    if (saves) this.options.submit(this.area.value);
    else if (event.key === "Escape") this.options.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
