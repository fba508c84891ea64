/** Where the settings note is and what it says; while it cannot be read, what it said last. */

import type { App, TFile } from "obsidian";
import { readFrontmatter, UnreadableNote, type Properties } from "../notes/frontmatter";
import { type Accepted, isSettingsNote, readSettings, type VaultSettings } from "../notes/settings";
import type { DeviceStore } from "./device-store";

const KEY = "settings";
const UNREADABLE = "its properties cannot be read";

interface Remembered {
  readonly path: string;
  readonly accepted: Accepted;
}

export class SettingsNote {
  private current: VaultSettings = readSettings({});
  private remembered: Remembered | null;
  private unreadable: string | null = null;
  private file: string | null = null;
  // texts that were looked into and are no settings notes, by path: when they were written
  private readonly others = new Map<string, number>();

  constructor(
    private readonly app: App,
    private readonly store: DeviceStore,
    private readonly properties: (file: TFile) => Properties,
  ) {
    this.remembered = rememberedIn(store.load(KEY));
  }

  get settings(): VaultSettings {
    return this.current;
  }

  /** The path of the settings note, null if there is none. */
  get path(): string | null {
    return this.file;
  }

  /** Why it is not certain now which folders are meant, null if it is. */
  get doubt(): string | null {
    return this.unreadable ?? this.current.layoutProblem;
  }

  /** Look for the note among all; returns a note that may be the settings note but cannot be read. */
  find(files: readonly TFile[]): TFile | null {
    const found = files.filter((file) => isSettingsNote(this.properties(file))).map((file) => file.path);
    const [path] = found.sort();
    const doubtful = path === undefined ? this.doubtful(files) : null;
    if (doubtful) this.doubtThat(doubtful.path);
    else this.apply(path);
    return doubtful;
  }

  private doubtThat(path: string): void {
    this.file = path;
    this.unreadable = UNREADABLE;
    this.current = readSettings(this.remembered?.accepted ?? {}, folderOf(path));
  }

  /** Look into the text of a note that `find` returned; returns whether it is no settings note after all. */
  async isNone(file: TFile): Promise<boolean> {
    try {
      const properties = readFrontmatter(await this.app.vault.cachedRead(file));
      // written a moment ago, or emptied, or an ordinary note under this name
      const none = !isSettingsNote(properties);
      if (none) this.forget(file);
      return none;
    } catch (error) {
      if (!(error instanceof UnreadableNote)) throw error;
      this.unreadable = error.reason;
      return false;
    }
  }

  /** Tell whether a change of this note may change the settings. */
  concerns(file: TFile): boolean {
    return file.path === this.file || isSettingsNote(this.properties(file));
  }

  moved(path: string): void {
    this.file = path;
    if (this.remembered) this.keep({ ...this.remembered, path });
  }

  private apply(path: string | undefined): void {
    const file = path === undefined ? null : this.app.vault.getFileByPath(path);
    this.file = file?.path ?? null;
    this.unreadable = null;
    if (!file) {
      this.current = readSettings({});
      return;
    }
    this.current = readSettings(this.properties(file), folderOf(file.path), this.remembered?.accepted);
    this.keep({ path: file.path, accepted: this.current.accepted });
  }

  // without properties in the app's eyes: the one that was it before, else one under its usual name
  private doubtful(files: readonly TFile[]): TFile | null {
    const bare = files.filter(
      (file) => Object.keys(this.properties(file)).length === 0 && this.others.get(file.path) !== file.stat.mtime,
    );
    const known = bare.find((file) => file.path === (this.file ?? this.remembered?.path));
    return known ?? (this.remembered ? null : (bare.find((file) => file.path === "Memories/Settings.md") ?? null));
  }

  private forget(file: TFile): void {
    this.others.set(file.path, file.stat.mtime);
    this.file = null;
    this.unreadable = null;
    this.remembered = null;
    this.store.save(KEY, null);
  }

  private keep(remembered: Remembered): void {
    if (JSON.stringify(remembered) === JSON.stringify(this.remembered)) return;
    this.remembered = remembered;
    this.store.save(KEY, remembered);
  }
}

function rememberedIn(stored: unknown): Remembered | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { path, accepted } = stored as Partial<Record<keyof Remembered, unknown>>;
  if (typeof path !== "string" || typeof accepted !== "object" || accepted === null) return null;
  const plain = Object.entries(accepted).filter(([, value]) => typeof value === "string" || typeof value === "number");
  return { path, accepted: Object.fromEntries(plain) };
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
