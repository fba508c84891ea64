/** An in-memory vault with everything that acts on memories. */

import type { TFile } from "obsidian";
import { App, MetadataCache } from "obsidian-test-mocks/obsidian";
import { YAMLParseError } from "yaml";
import { deviceStore } from "../../src/obsidian/device-store";
import { Journal, type Change } from "../../src/obsidian/journal";
import { MemoryActions } from "../../src/obsidian/memory-actions";
import { MemoryCache, type MemoryNote } from "../../src/obsidian/memory-cache";
import { NoteFiles } from "../../src/obsidian/note-files";
import { readDateKeys } from "../../src/obsidian/property-types";
import { Undo } from "../../src/obsidian/undo";
import { NOW } from "../notes_of";

export const SETTINGS_NOTE = "---\nmnemex: settings\ntimezone: UTC\n---\n";

export interface TestVault {
  readonly app: ReturnType<App["asOriginalType__"]>;
  readonly cache: MemoryCache;
  readonly actions: MemoryActions;
  readonly journal: Journal;
  readonly undo: Undo;
  readonly stored: () => readonly Change[];
  readonly text: (path: string) => Promise<string>;
  readonly paths: () => string[];
  readonly note: (path: string) => MemoryNote;
  readonly write: (path: string, text: string) => Promise<void>;
}

/** Open a vault with these files, its cache filled. */
export function openVault(files: Record<string, string>, now = NOW): TestVault {
  const app = App.createConfigured__({ files: { "Memories/Settings.md": SETTINGS_NOTE, ...files } }).asOriginalType__();
  const cache = new MemoryCache(app, deviceStore(app), () => now);
  cache.load();
  App.fromOriginalType__(app).workspace.setLayoutReady__();
  let stored: readonly Change[] = [];
  const journal = new Journal((changes) => (stored = changes));
  const noteFiles = new NoteFiles(app);
  let seed = 0;
  const around = {
    settings: () => cache.settings,
    doubt: () => cache.doubt,
    now: () => now,
    dateKeys: () => readDateKeys(app),
    random: () => Uint8Array.from({ length: 10 }, () => (seed = (seed * 73 + 41) % 256)),
  };
  const file = (path: string) => {
    const found = app.vault.getFileByPath(path);
    if (!found) throw new Error(`no note at ${path}`);
    return found;
  };
  return {
    app,
    cache,
    journal,
    actions: new MemoryActions(noteFiles, journal, around),
    undo: new Undo(noteFiles, journal),
    stored: () => stored,
    text: (path) => app.vault.read(file(path)),
    paths: () => app.vault.getMarkdownFiles().map(({ path }) => path).sort(),
    write: (path, text) => write(app, file(path), text),
    note: (path) => {
      const note = cache.at(path);
      if (!note) throw new Error(`no memory at ${path}`);
      return note;
    },
  };
}

// the app has no properties for a note that it cannot read; the mock throws instead
async function write(app: TestVault["app"], file: TFile, text: string): Promise<void> {
  try {
    await app.vault.modify(file, text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    MetadataCache.fromOriginalType2__(app.metadataCache).cache__.set(file.path, {});
    app.metadataCache.trigger("changed", file, text, {});
  }
}
