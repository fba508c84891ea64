/** What the views need of the plugin. */

import type { App, PaneType } from "obsidian";
import type { Instant } from "../domain/memory";
import type { Change, Journal } from "../obsidian/journal";
import type { LastLook } from "../obsidian/last-look";
import type { MemoryActions, NewText } from "../obsidian/memory-actions";
import type { MemoryCache, MemoryNote } from "../obsidian/memory-cache";
import type { ReviewDay } from "../obsidian/review-day";
import type { Preferences } from "../obsidian/preferences";
import type { Part } from "./learnt-view";
import type { Words } from "./words";

export type Action = (actions: MemoryActions, note: MemoryNote) => Promise<Change>;

export interface Companion {
  readonly app: App;
  readonly cache: MemoryCache;
  readonly journal: Journal;
  readonly preferences: Preferences;
  readonly lastLook: LastLook;
  readonly reviewDay: ReviewDay;
  words(): Words;
  now(): Instant;
  /** Do something to a memory; tells people what was done, or why it was not. Returns null if it was not. */
  perform(note: MemoryNote, action: Action, quiet?: boolean): Promise<Change | null>;
  /** Take a change back; tells why it was not. */
  takeBack(change: Change): Promise<boolean>;
  redo(change: Change): Promise<boolean>;
  openNote(path: string, where?: boolean | PaneType): Promise<void>;
  /** Take back the latest change that still stands. */
  undoLast(): Promise<void>;
  remember(text: NewText): Promise<Change | null>;
  /** Put a link to a memory into the note that is being written; tells why it was not. */
  insertLink(note: MemoryNote): void;
  openLearnt(part?: Part | null): Promise<void>;
  openProfile(): Promise<void>;
  /** Write what is known about a person into the vault and open it. */
  writeProfile(text: string): Promise<void>;
  openReview(): Promise<void>;
  openDashboard(): Promise<void>;
  openSettingsNote(): Promise<void>;
  openSetup(): void;
  writeMemory(given?: Partial<NewText>): void;
  savePreferences(change: Partial<Preferences>): Promise<void>;
}
