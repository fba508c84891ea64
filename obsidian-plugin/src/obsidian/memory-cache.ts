/** What every memory note of the vault is, kept up to date from Obsidian's own metadata cache. */

import { Component, getAllTags, TFile, type App } from "obsidian";
import { Pauses } from "../domain/decay";
import type { Instant, Memory, Tier } from "../domain/memory";
import { spanOf, withPauses } from "../domain/scoring";
import { isConflictCopy } from "../notes/copies";
import type { Properties } from "../notes/frontmatter";
import { isAtHome, tierOf } from "../notes/layout";
import { BOOKKEEPING_KEYS } from "../notes/keys";
import { kindOf } from "../notes/kinds";
import { readMemory } from "../notes/note";
import type { VaultSettings } from "../notes/settings";
import type { DeviceStore } from "./device-store";
import { SettingsNote } from "./settings-note";
import { replacedIds, type Resolve } from "./versions";

/** A memory and the note that holds it. */
export interface MemoryNote {
  readonly path: string;
  readonly memory: Memory;
  readonly tier: Tier;
  /** When the file was last written: the only trace of when a note was archived. */
  readonly modified: number;
  readonly properties: Properties;
}

const QUIET_MILLISECONDS = 120;
// how old the answer may be whether the vault is in use now
const MOMENT_MILLISECONDS = 60_000;

export class MemoryCache extends Component {
  /** By id of the memory: when somebody else changed its text or tags while the app ran. */
  readonly changedTexts = new Map<string, Instant>();
  private readonly notes = new Map<string, MemoryNote>();
  private readonly listeners = new Set<() => void>();
  private readonly settingsNote: SettingsNote;
  private distinct: { revision: number; notes: readonly MemoryNote[] } | null = null;
  private holding: { revision: number; notes: readonly MemoryNote[] } | null = null;
  private pauses: { revision: number; found: Pauses } = { revision: -1, found: new Pauses() };
  private withPauses: { as: string; of: VaultSettings; settings: VaultSettings } | null = null;
  private timer: number | null = null;
  private filled = false;
  private resolved = false;
  private revisions = 0;

  constructor(
    private readonly app: App,
    store: DeviceStore,
    private readonly now: () => Instant = Date.now,
  ) {
    super();
    this.settingsNote = new SettingsNote(app, store, (file) => this.propertiesOf(file));
  }

  override onload(): void {
    const { metadataCache, vault } = this.app;
    this.registerEvent(metadataCache.on("changed", (file) => this.refresh(file)));
    this.registerEvent(metadataCache.on("resolved", () => this.fillOnce()));
    this.registerEvent(vault.on("delete", (file) => this.forget(file.path)));
    this.registerEvent(vault.on("rename", (file, oldPath) => this.moved(file.path, oldPath)));
    this.app.workspace.onLayoutReady(() => this.fill());
    this.register(() => {
      if (this.timer !== null) window.clearTimeout(this.timer);
      this.listeners.clear();
    });
  }

  /** Counts changes; equal revisions mean equal contents. */
  get revision(): number {
    return this.revisions;
  }

  /** Tell whether the vault was looked through once. */
  get ready(): boolean {
    return this.filled;
  }

  /** What the settings note says, with the times in which the vault was not used as they are known now. */
  get settings(): VaultSettings {
    const of = this.settingsNote.settings;
    const now = Math.floor(this.now() / MOMENT_MILLISECONDS) * MOMENT_MILLISECONDS;
    const as = `${this.revisions} ${now}`;
    if (this.withPauses?.as !== as || this.withPauses.of !== of) {
      const settings = { ...of, policy: withPauses(of.policy, this.pausesNow(), now) };
      this.withPauses = { as, of, settings };
    }
    return this.withPauses.settings;
  }

  private pausesNow(): Pauses {
    if (this.pauses.revision !== this.revisions) {
      const spans = [...this.notes.values()].map((note) => spanOf(note.memory.usage));
      this.pauses = { revision: this.revisions, found: Pauses.between(spans) };
    }
    return this.pauses.found;
  }

  /** Why it is not certain now where memories belong, null if it is. */
  get doubt(): string | null {
    return this.settingsNote.doubt;
  }

  /** The path of the settings note, null if there is none. */
  get settingsPath(): string | null {
    return this.settingsNote.path;
  }

  /** Return all memories, each id once. */
  all(): readonly MemoryNote[] {
    if (this.distinct?.revision !== this.revisions) {
      this.distinct = { revision: this.revisions, notes: withoutCopies([...this.notes.values()]) };
    }
    return this.distinct.notes;
  }

  /** Return the memories that no other replaces. */
  present(): readonly MemoryNote[] {
    if (this.holding?.revision !== this.revisions) {
      const replaced = replacedIds(this.all(), this.resolve);
      this.holding = { revision: this.revisions, notes: this.all().filter(({ memory }) => !replaced.has(memory.id)) };
    }
    return this.holding.notes;
  }

  /** Return the memory that a link in a note leads to. */
  readonly resolve: Resolve = (target, from) => {
    const file = this.app.metadataCache.getFirstLinkpathDest(target, from.path);
    return file ? this.at(file.path) : null;
  };

  at(path: string): MemoryNote | null {
    return this.notes.get(path) ?? null;
  }

  withId(id: string): MemoryNote | null {
    return this.all().find((note) => note.memory.id === id) ?? null;
  }

  /** Call `listener` soon after changes; returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // "resolved" comes after every change; only the first one may bring notes that were not known before
  private fillOnce(): void {
    if (this.resolved) return;
    this.resolved = true;
    this.fill();
  }

  private fill(): void {
    const files = this.app.vault.getMarkdownFiles();
    const doubtful = this.settingsNote.find(files);
    if (doubtful) void this.lookInto(doubtful);
    this.notes.clear();
    for (const file of files) this.read(file);
    this.filled = true;
    this.changed();
  }

  private async lookInto(doubtful: TFile): Promise<void> {
    if (await this.settingsNote.isNone(doubtful)) this.fill();
    else this.changed();
  }

  private refresh(file: TFile): void {
    if (!this.filled || !(file instanceof TFile)) return;
    if (this.settingsNote.concerns(file)) {
      this.fill();
      return;
    }
    const before = this.notes.get(file.path);
    this.read(file);
    const after = this.notes.get(file.path);
    if (before && after && this.isOthers(before, after)) this.changedTexts.set(after.memory.id, after.modified);
    this.changedAt([file.path], before !== after);
  }

  // what is being typed here is no news; nor is what only keeps the books
  private isOthers(before: MemoryNote, after: MemoryNote): boolean {
    if (after.modified <= before.modified || this.app.workspace.getActiveFile()?.path === after.path) return false;
    const kept = ["pinned", "half_life_days", ...BOOKKEEPING_KEYS];
    return kept.every((key) => JSON.stringify(before.properties[key]) === JSON.stringify(after.properties[key]));
  }

  private forget(path: string): void {
    if (path === this.settingsPath) this.fill();
    else this.changedAt([path], this.notes.delete(path));
  }

  private moved(path: string, oldPath: string): void {
    if (oldPath === this.settingsPath) {
      this.settingsNote.moved(path);
      this.fill();
      return;
    }
    const note = this.notes.get(oldPath);
    this.notes.delete(oldPath);
    const file = this.app.vault.getFileByPath(path);
    if (file && note) this.read(file, note.properties);
    this.changedAt([path, oldPath], note !== undefined);
  }

  // what lies in a memory folder and is no memory may be a note that cannot be read, and those are counted
  private changedAt(paths: readonly string[], isMemory: boolean): void {
    if (isMemory || paths.some((path) => isAtHome(path, this.settings.layout))) this.changed();
  }

  private read(file: TFile, known?: Properties): void {
    const properties = known ?? this.propertiesOf(file);
    const tags = getAllTags(this.app.metadataCache.getFileCache(file) ?? {}) ?? [];
    const note = kindOf(file.path, properties, tags) === "memory" ? this.noteOf(file, properties) : null;
    if (note) this.notes.set(file.path, note);
    else this.notes.delete(file.path);
  }

  private noteOf(file: TFile, properties: Properties): MemoryNote | null {
    const { zone, layout } = this.settingsNote.settings;
    const memory = readMemory(properties, file.basename, zone, file.stat.ctime);
    if (!memory) return null;
    const tier = tierOf(file.path, layout);
    return { path: file.path, memory, tier, modified: file.stat.mtime, properties };
  }

  private propertiesOf(file: TFile): Properties {
    return this.app.metadataCache.getFileCache(file)?.frontmatter ?? {};
  }

  private changed(): void {
    this.revisions++;
    if (this.timer !== null) return;
    this.timer = window.setTimeout(() => {
      this.timer = null;
      for (const listener of [...this.listeners]) listener();
    }, QUIET_MILLISECONDS);
  }
}

function withoutCopies(notes: MemoryNote[]): MemoryNote[] {
  const byId = new Map<string, MemoryNote>();
  for (const note of notes) {
    const other = byId.get(note.memory.id);
    if (!other || isBetter(note, other)) byId.set(note.memory.id, note);
  }
  return [...byId.values()];
}

function isBetter(one: MemoryNote, other: MemoryNote): boolean {
  const [copy, otherCopy] = [isConflictCopy(one.path), isConflictCopy(other.path)];
  return copy === otherCopy ? one.path < other.path : !copy;
}
