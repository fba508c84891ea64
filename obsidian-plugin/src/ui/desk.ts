/** Joins cache, actions and views: what every view asks of the plugin. */

import { moment, Notice, type App, type PaneType, type TFile } from "obsidian";
import type { Instant, Usage } from "../domain/memory";
import { score } from "../domain/scoring";
import { readInstant, writeDay } from "../notes/dates";
import { tierOf } from "../notes/layout";
import { titleFrom } from "../notes/names";
import { tagList } from "../notes/values";
import { deviceStore, type DeviceStore } from "../obsidian/device-store";
import { insertLink } from "../obsidian/insert-link";
import { Journal, type Change } from "../obsidian/journal";
import { LastLook } from "../obsidian/last-look";
import { MemoryActions, type NewText } from "../obsidian/memory-actions";
import { MemoryCache, type MemoryNote } from "../obsidian/memory-cache";
import { ChangeRefused, NoteFiles } from "../obsidian/note-files";
import { writeProfile } from "../obsidian/profile-note";
import { DEFAULT_PREFERENCES, NEW_PREFERENCES, readPreferences, type Preferences } from "../obsidian/preferences";
import { readDateKeys } from "../obsidian/property-types";
import { ReviewDay } from "../obsidian/review-day";
import { rememberTagged } from "../obsidian/tagged-lines";
import { Undo } from "../obsidian/undo";
import type { Remembering } from "./commands";
import type { Action, Companion } from "./companion";
import { DASHBOARD_VIEW } from "./dashboard-view";
import { LEARNT_VIEW, LearntView, type Part } from "./learnt-view";
import { MemoryModal } from "./memory-modal";
import { tellDone, tellRefused } from "./notices";
import { PANEL_VIEW } from "./panel-view";
import { PROFILE_VIEW } from "./profile-view";
import { REVIEW_VIEW, ReviewView } from "./review-view";
import { lastSignOfLife, SetupModal } from "./setup-modal";
import { Words } from "./words";

const CHANGES = "changes";

/** Where preferences are kept: in the vault, so that other devices may write there, too. */
export interface DataStore {
  load(): Promise<unknown>;
  save(data: unknown): Promise<void>;
}

export class Desk implements Companion, Remembering {
  readonly cache: MemoryCache;
  readonly journal: Journal;
  readonly lastLook: LastLook;
  readonly reviewDay: ReviewDay;
  private readonly files: NoteFiles;
  private readonly actions: MemoryActions;
  private readonly undoing: Undo;
  private readonly device: DeviceStore;
  private kept: Preferences = DEFAULT_PREFERENCES;
  private wording: Words | null = null;
  private readonly preferenceListeners: (() => void)[] = [];

  constructor(readonly app: App, private readonly store: DataStore) {
    this.device = deviceStore(app);
    this.cache = new MemoryCache(app, this.device, () => this.now());
    this.journal = new Journal((changes) => this.device.save(CHANGES, changes));
    this.lastLook = new LastLook(this.device, this.now());
    this.reviewDay = new ReviewDay(this.device, () => writeDay(this.now(), this.cache.settings.zone));
    const files = new NoteFiles(app);
    this.files = files;
    this.actions = new MemoryActions(files, this.journal, {
      settings: () => this.cache.settings,
      doubt: () => this.cache.doubt,
      now: () => this.now(),
      dateKeys: () => readDateKeys(app),
      random: () => crypto.getRandomValues(new Uint8Array(10)),
    });
    this.undoing = new Undo(files, this.journal);
  }

  /** Read preferences and recent changes. */
  async load(): Promise<void> {
    const data = await this.stored();
    // a new installation begins with memories that open as their sentence
    this.kept = readPreferences(Object.keys(data).length === 0 ? NEW_PREFERENCES : data.preferences);
    this.journal.restore(this.device.load(CHANGES) ?? data.changes, this.now());
    this.device.save(CHANGES, this.journal.all());
    for (const listener of this.preferenceListeners) listener();
  }

  get preferences(): Preferences {
    return this.kept;
  }

  onPreferences(listener: () => void): void {
    this.preferenceListeners.push(listener);
  }

  async savePreferences(change: Partial<Preferences>): Promise<void> {
    // what another device wrote in the meantime stays
    const { changes: _moved, ...data } = await this.stored();
    const preferences = { ...this.kept, ...(isRecord(data.preferences) ? data.preferences : {}), ...change };
    this.kept = readPreferences(preferences);
    await this.store.save({ ...data, preferences });
    for (const listener of this.preferenceListeners) listener();
  }

  now(): Instant {
    return Date.now();
  }

  /** Return the score of a memory by the vault's settings. */
  scoreOf(usage: Usage, now: Instant): number {
    return score(usage, this.cache.settings.policy, now);
  }

  words(): Words {
    const { zone } = this.cache.settings;
    const locale = moment.locale();
    if (this.wording?.zone !== zone || this.wording.locale !== locale) this.wording = new Words(zone, locale);
    return this.wording;
  }

  perform(note: MemoryNote, action: Action, quiet = false): Promise<Change | null> {
    return this.attempt(() => action(this.actions, note), quiet);
  }

  /** Note the yes that dragging a stranger's memory to the long-term ones is. */
  async dragged(path: string, old: string): Promise<void> {
    const note = this.cache.at(path);
    if (note?.tier !== "long-term" || tierOf(old, this.cache.settings.layout) === "long-term") return;
    try {
      if (await this.actions.isWaiting(note)) await this.perform(note, (actions, it) => actions.approve(it), true);
    } catch (error) {
      tellRefused(error);
    }
  }

  takeBack(change: Change): Promise<boolean> {
    return this.turn(() => this.undoing.undo(change));
  }

  redo(change: Change): Promise<boolean> {
    return this.turn(() => this.undoing.redo(change));
  }

  async undoLast(): Promise<void> {
    const last = this.journal.last();
    if (last && (await this.takeBack(last))) new Notice(`Undone: ${last.verb}, ${last.title}.`);
  }

  async rememberSelection(text: string, source: TFile | null): Promise<void> {
    const link = source ? { source: `[[${source.basename}]]` } : {};
    await this.remember({ content: text, title: titleFrom(text), ...link });
  }

  async adopt(file: TFile): Promise<void> {
    await this.attempt(() => this.actions.adopt(file.path, file.basename), false);
  }

  writeMemory(given: Partial<NewText> = {}): void {
    new MemoryModal(this.app, (text) => void this.remember(text), given).open();
  }

  /** Offer to remember what is on the clipboard. */
  async captureClipboard(): Promise<void> {
    const content = (await navigator.clipboard.readText()).trim();
    if (content === "") new Notice("There is no text on the clipboard.");
    else this.writeMemory({ content });
  }

  /** Offer to remember what a link `obsidian://mnemex-save?text=...` asks for; any page may hold such a link. */
  captureLink({ text = "", title = "", tags = "" }: Readonly<Record<string, string>>): void {
    const content = text.trim();
    if (content === "") new Notice("The link has no text to remember.");
    else this.writeMemory({ content, title: title.trim(), tags: tagList(tags), origin: "web" });
  }

  async rememberTagged(file: TFile): Promise<void> {
    try {
      const count = await rememberTagged(this.app, this.files, file, (text) => this.actions.remember(text));
      new Notice(count === 1 ? "Remembered 1 line." : `Remembered ${count} lines.`);
    } catch (error) {
      tellRefused(error);
    }
  }

  async openNote(path: string, where: boolean | PaneType = false): Promise<void> {
    const file = this.app.vault.getFileByPath(path);
    if (file) await this.app.workspace.getLeaf(where).openFile(file);
  }

  async openPanel(): Promise<void> {
    await this.app.workspace.ensureSideLeaf(PANEL_VIEW, "right", { active: true, reveal: true });
  }

  insertLink(note: MemoryNote): void {
    try {
      const file = this.app.vault.getFileByPath(note.path);
      if (!file) return;
      insertLink(this.app, file);
      new Notice(`Linked: ${note.memory.title}.`);
    } catch (error) {
      tellRefused(error);
    }
  }

  async openLearnt(part: Part | null = null): Promise<void> {
    await this.openMain(LEARNT_VIEW);
    const view = this.app.workspace.getLeavesOfType(LEARNT_VIEW)[0]?.view;
    if (view instanceof LearntView) view.showPart(part);
  }

  async openProfile(): Promise<void> {
    await this.openMain(PROFILE_VIEW);
  }

  async writeProfile(text: string): Promise<void> {
    try {
      const { doubt, settings } = this.cache;
      if (doubt !== null) throw new ChangeRefused(`Mend the settings note first (${doubt}); until then no note is made.`);
      const path = await writeProfile(this.app, this.files, settings.layout.root, text);
      await this.openNote(path, "tab");
    } catch (error) {
      tellRefused(error);
    }
  }

  async openReview(): Promise<void> {
    const { workspace } = this.app;
    const wasOpen = workspace.getLeavesOfType(REVIEW_VIEW).length > 0;
    await this.openMain(REVIEW_VIEW);
    const view = workspace.getLeavesOfType(REVIEW_VIEW)[0]?.view;
    if (!(view instanceof ReviewView)) return;
    if (wasOpen) await view.restart();
    view.focus();
  }

  async openDashboard(): Promise<void> {
    await this.openMain(DASHBOARD_VIEW);
  }

  async openSettingsNote(): Promise<void> {
    const path = this.cache.settingsPath;
    if (path !== null) await this.openNote(path);
    else new Notice("This vault has no settings note yet; the server makes one with mnemex init.");
  }

  openSetup(): void {
    const at = lastSignOfLife(this.cache.all());
    const now = this.now();
    const day = at === null ? "" : this.words().dayHeading(at, now);
    new SetupModal(this.app, at === null ? "" : `An assistant was last heard of: ${day}, ${this.words().time(at)}.`).open();
  }

  private async openMain(type: string): Promise<void> {
    const { workspace } = this.app;
    const open = workspace.getLeavesOfType(type)[0];
    const leaf = open ?? workspace.getLeaf("tab");
    if (!open) await leaf.setViewState({ type, active: true });
    await workspace.revealLeaf(leaf);
  }

  remember(text: NewText): Promise<Change | null> {
    return this.attempt(() => this.actions.remember(text), false);
  }

  private async attempt(act: () => Promise<Change>, quiet: boolean): Promise<Change | null> {
    try {
      const change = await act();
      if (!quiet) tellDone(change, this.detail(change), () => void this.takeBack(change));
      return change;
    } catch (error) {
      tellRefused(error);
      return null;
    }
  }

  private async turn(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      tellRefused(error);
      return false;
    }
  }

  // the cache learns of the change a moment later; the change itself knows the new day
  private detail(change: Change): string {
    const day = readInstant(change.set.fades_on?.[1], this.cache.settings.zone);
    return day === null ? "" : this.words().fadesOn(day, this.now());
  }

  private async stored(): Promise<Record<string, unknown>> {
    const stored = await this.store.load();
    return isRecord(stored) ? stored : {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
