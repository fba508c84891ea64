/** Commands, and what is offered in the menus of files and of the editor. */

import { Notice, TFile, type Editor, type Menu, type Plugin, type TAbstractFile } from "obsidian";
import type { MemoryNote } from "../obsidian/memory-cache";
import { hasTaggedLines } from "../obsidian/tagged-lines";
import type { Action, Companion } from "./companion";
import { ConfirmModal } from "./confirm-modal";
import { ICONS } from "./icons";
import { addActions, explain } from "./memory-menu";

/** What the commands need beyond the views. */
export interface Remembering {
  rememberSelection(text: string, source: TFile | null): Promise<void>;
  adopt(file: TFile): Promise<void>;
  openPanel(): Promise<void>;
  captureClipboard(): Promise<void>;
  rememberTagged(file: TFile): Promise<void>;
}

interface NoteCommand {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly applies: (note: MemoryNote) => boolean;
  readonly action: Action;
}

const live = (note: MemoryNote): boolean => note.tier !== "archived";
const shortTerm = (note: MemoryNote): boolean => note.tier === "short-term";

const NOTE_COMMANDS: readonly NoteCommand[] = [
  { id: "use", name: "Use this memory", icon: ICONS.use, applies: live, action: (actions, note) => actions.use(note) },
  {
    id: "strengthen",
    name: "Strengthen this memory",
    icon: ICONS.strengthen,
    applies: live,
    action: (actions, note) => actions.strengthen(note),
  },
  {
    id: "toggle-pin",
    name: "Pin or unpin this memory",
    icon: ICONS.pin,
    applies: live,
    action: (actions, note) => actions.pin(note, !note.memory.usage.pinned),
  },
  {
    id: "promote",
    name: "Promote this memory to long-term",
    icon: ICONS.promote,
    applies: shortTerm,
    action: (actions, note) => actions.promote(note),
  },
  {
    id: "demote",
    name: "Demote this memory to short-term",
    icon: ICONS.demote,
    applies: (note) => note.tier === "long-term",
    action: (actions, note) => actions.demote(note),
  },
  {
    id: "archive",
    name: "Let go of this memory",
    icon: ICONS.archive,
    applies: live,
    action: (actions, note) => actions.archive(note),
  },
  {
    id: "restore",
    name: "Restore this memory",
    icon: ICONS.restore,
    applies: (note) => note.tier === "archived",
    action: (actions, note) => actions.restore(note),
  },
];

const CONFIRM_FROM = 10;

/** Register all commands. */
export function addCommands(plugin: Plugin, companion: Companion, remembering: Remembering): void {
  addViewCommands(plugin, companion, remembering);
  for (const command of NOTE_COMMANDS) addNoteCommand(plugin, companion, command);
  plugin.addCommand({
    id: "explain-score",
    name: "Explain the score of this memory",
    icon: ICONS.curve,
    checkCallback: (checking) => {
      const note = activeMemory(companion);
      if (note && !checking) explain(note, companion);
      return note !== null;
    },
  });
  plugin.addCommand({
    id: "make-memory",
    name: "Make this note a memory",
    icon: ICONS.note,
    checkCallback: (checking) => {
      const file = companion.app.workspace.getActiveFile();
      const can = file?.extension === "md" && companion.cache.at(file.path) === null;
      if (can && !checking) void remembering.adopt(file);
      return can;
    },
  });
  plugin.addCommand({
    id: "remember-tagged",
    name: "Remember the lines tagged #remember",
    icon: ICONS.tag,
    checkCallback: (checking) => {
      const file = companion.app.workspace.getActiveFile();
      const can = file !== null && hasTaggedLines(companion.app, file);
      if (can && !checking) void remembering.rememberTagged(file);
      return can;
    },
  });
  plugin.addCommand({
    id: "remember-selection",
    name: "Remember selection",
    icon: ICONS.add,
    editorCheckCallback: (checking, editor) => {
      const text = editor.getSelection().trim();
      if (text !== "" && !checking) void remembering.rememberSelection(text, companion.app.workspace.getActiveFile());
      return text !== "";
    },
  });
}

function addViewCommands(plugin: Plugin, companion: Companion, remembering: Remembering): void {
  const add = (id: string, name: string, icon: string, callback: () => void): void => {
    plugin.addCommand({ id, name, icon, callback });
  };
  add("open-learnt", "Show what was learnt", ICONS.learnt, () => void companion.openLearnt());
  add("open-profile", "Show what it knows about me", ICONS.profile, () => void companion.openProfile());
  add("open-panel", "Show memories", ICONS.curve, () => void remembering.openPanel());
  add("open-dashboard", "Open dashboard", ICONS.dashboard, () => void companion.openDashboard());
  add("review", "Review memories", ICONS.review, () => void companion.openReview());
  add("new-memory", "New memory", ICONS.add, () => companion.writeMemory());
  add("remember-clipboard", "Remember what is on the clipboard", ICONS.clipboard, () => void remembering.captureClipboard());
  plugin.addCommand({
    id: "undo",
    name: "Undo the last change of a memory",
    icon: ICONS.undo,
    checkCallback: (checking) => {
      const last = companion.journal.last();
      if (last && !checking) void companion.undoLast();
      return last !== null;
    },
  });
}

function addNoteCommand(plugin: Plugin, companion: Companion, { id, name, icon, applies, action }: NoteCommand): void {
  plugin.addCommand({
    id,
    name,
    icon,
    checkCallback: (checking) => {
      const note = activeMemory(companion);
      if (!note || !applies(note)) return false;
      if (!checking) void companion.perform(note, action);
      return true;
    },
  });
}

function activeMemory({ app, cache }: Companion): MemoryNote | null {
  const file = app.workspace.getActiveFile();
  return file ? cache.at(file.path) : null;
}

/** Offer the same in the menus of files and of the editor. */
export function addMenus(plugin: Plugin, companion: Companion, remembering: Remembering): void {
  const { workspace } = companion.app;
  plugin.registerEvent(workspace.on("file-menu", (menu, file) => addForFile(menu, file, companion, remembering)));
  plugin.registerEvent(workspace.on("files-menu", (menu, files) => addForFiles(menu, files, companion)));
  plugin.registerEvent(workspace.on("editor-menu", (menu, editor) => addForEditor(menu, editor, companion, remembering)));
}

function addForFile(menu: Menu, file: TAbstractFile, companion: Companion, remembering: Remembering): void {
  if (!(file instanceof TFile) || file.extension !== "md") return;
  const note = companion.cache.at(file.path);
  if (note) {
    addActions(menu, note, companion);
    return;
  }
  menu.addItem((item) =>
    item
      .setSection("mnemex")
      .setTitle("Make this note a memory")
      .setIcon(ICONS.note)
      .onClick(() => void remembering.adopt(file)),
  );
}

function addForFiles(menu: Menu, files: readonly TAbstractFile[], companion: Companion): void {
  const notes = files.flatMap((file) => companion.cache.at(file.path) ?? []);
  for (const { name, icon, applies, action } of NOTE_COMMANDS) {
    const fitting = notes.filter(applies);
    if (fitting.length === 0) continue;
    const title = `${name.replace(" this memory", "").replace(" of", "")} (${fitting.length})`;
    menu.addItem((item) =>
      item
        .setSection("mnemex")
        .setTitle(title)
        .setIcon(icon)
        .onClick(() => void forAll(fitting, title, action, companion)),
    );
  }
}

async function forAll(notes: readonly MemoryNote[], title: string, action: Action, companion: Companion): Promise<void> {
  if (notes.length > CONFIRM_FROM && !(await ConfirmModal.ask(companion.app, title, notes.length))) return;
  let done = 0;
  for (const note of notes) if (await companion.perform(note, action, true)) done++;
  new Notice(`Changed ${done} of ${notes.length} memories.`);
}

function addForEditor(menu: Menu, editor: Editor, companion: Companion, remembering: Remembering): void {
  const text = editor.getSelection().trim();
  if (text === "") return;
  menu.addItem((item) =>
    item
      .setSection("selection")
      .setTitle("Remember selection")
      .setIcon(ICONS.curve)
      .onClick(() => void remembering.rememberSelection(text, companion.app.workspace.getActiveFile())),
  );
}
