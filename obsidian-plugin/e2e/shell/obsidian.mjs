// Obsidian's API for a browser: the mocks, and real DOM where the mocks have none (menus, dialogs, notices, icons).
import * as mocks from "obsidian-test-mocks/obsidian";
import markdownIt from "markdown-it";
import { ICONS } from "./icons.generated.mjs";

const icons = new Map(Object.entries(ICONS));

export function addIcon(name, content) {
  icons.set(name, `<svg viewBox="0 0 100 100">${content}</svg>`);
}

export function removeIcon(name) {
  icons.delete(name);
}

export function setIcon(parent, name) {
  parent.replaceChildren();
  const content = icons.get(name);
  if (content === undefined) throw new Error(`no icon ${name}`);
  const holder = document.createElement("div");
  holder.innerHTML = content.replace(/>\s+</g, "><");
  const svg = holder.querySelector("svg");
  for (const attribute of ["width", "height", "class"]) svg.removeAttribute(attribute);
  svg.setAttribute("class", "svg-icon");
  svg.setAttribute("aria-hidden", "true");
  parent.append(svg);
}

let openMenu = null;

export class Menu extends mocks.Menu {
  showAtMouseEvent(event) {
    return this.showAtPosition({ x: event.clientX, y: event.clientY });
  }

  showAtPosition({ x, y }) {
    openMenu?.remove();
    const el = document.body.createDiv({ cls: "menu", attr: { role: "menu" } });
    openMenu = el;
    for (const item of this.items__) {
      if (!("title__" in item)) {
        el.createDiv({ cls: "menu-separator" });
        continue;
      }
      const row = el.createDiv({ cls: "menu-item", attr: { role: "menuitem", tabindex: "0" } });
      const icon = row.createSpan({ cls: "menu-item-icon" });
      if (item.icon__) setIcon(icon, item.icon__);
      if (item.checked__) setIcon(icon, "check");
      row.createSpan({ text: item.title__ });
      row.addEventListener("click", () => {
        el.remove();
        item.onClick__?.();
      });
    }
    const box = el.getBoundingClientRect();
    el.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 8))}px`;
    el.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 8))}px`;
    const outside = (event) => {
      if (el.contains(event.target)) return;
      el.remove();
      document.removeEventListener("mousedown", outside, true);
    };
    document.addEventListener("mousedown", outside, true);
    return this;
  }
}

export class Notice extends mocks.Notice {
  constructor(message, duration) {
    super("", duration);
    this.containerEl.addClass("notice");
    this.messageEl.append(message);
    const shelf = document.querySelector(".notice-container") ?? document.body.createDiv({ cls: "notice-container" });
    shelf.append(this.containerEl);
  }

  hide() {
    this.containerEl.remove();
  }
}

export class Modal extends mocks.Modal {
  open() {
    this.containerEl.addClass("modal-container");
    this.modalEl.addClass("modal");
    this.titleEl.addClass("modal-title");
    this.contentEl.addClass("modal-content");
    this.modalEl.prepend(this.titleEl);
    document.body.append(this.containerEl);
    this.onOpen();
  }

  close() {
    this.containerEl.remove();
    this.onClose();
  }
}

export class FuzzySuggestModal extends Modal {
  setPlaceholder(text) {
    this.placeholder = text;
  }

  onOpen() {
    for (const item of this.getItems()) {
      const row = this.contentEl.createDiv({ cls: "suggestion-item", text: this.getItemText(item) });
      row.addEventListener("click", () => {
        this.close();
        this.onChooseItem(item);
      });
    }
  }
}

// the mock forgets what is to be called
export class Scope extends mocks.Scope {
  listeners = new Map();

  register(modifiers, key, listener) {
    this.listeners.set(key, listener);
    return super.register(modifiers, key, listener);
  }
}

const markdown = markdownIt({ html: true });
markdown.inline.ruler.before("link", "wikilink", (state, silent) => {
  const match = /^!?\[\[([^\]|]+)(?:\|([^\]]*))?\]\]/.exec(state.src.slice(state.pos));
  if (!match) return false;
  if (!silent) {
    const embed = match[0].startsWith("!");
    state.push("html_inline", "", 0).content = embed
      ? `<span class="internal-embed"></span>`
      : `<a class="internal-link" href="#">${markdown.utils.escapeHtml(match[2] ?? match[1])}</a>`;
  }
  state.pos += match[0].length;
  return true;
});

export class MarkdownRenderer extends mocks.MarkdownRenderer {
  // HTML is let through on purpose: what must not become active must not get here
  static async render(_app, text, el) {
    el.innerHTML = markdown.render(text);
  }
}

export const api = {
  ...mocks,
  addIcon,
  removeIcon,
  setIcon,
  Menu,
  Notice,
  Modal,
  FuzzySuggestModal,
  Scope,
  MarkdownRenderer,
};
