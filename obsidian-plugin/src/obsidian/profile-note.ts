/** The note "What it knows about me": written when asked for, and only between its two marks. */

import type { App } from "obsidian";
import { composeFrontmatter } from "../notes/frontmatter";
import type { NoteFiles } from "./note-files";

const START = "%%mnemex:profile%%";
const END = "%%mnemex:end%%";

/** Write the text into the vault's profile note, made if there is none; returns its path. */
export async function writeProfile(app: App, files: NoteFiles, folder: string, text: string): Promise<string> {
  const block = `${START}\n${text.trim()}\n${END}`;
  const known = app.vault.getMarkdownFiles().find((file) => app.metadataCache.getFileCache(file)?.frontmatter?.mnemex === "profile");
  if (!known) {
    return files.create(folder, "What it knows about me", () => composeFrontmatter({ mnemex: "profile" }, `${block}\n`));
  }
  await files.change(known.path, (old) => withBlock(old, block));
  return known.path;
}

/** Return the note with the block in the place of the former one, else below what stands there. */
export function withBlock(text: string, block: string): string {
  const start = text.indexOf(START);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) return `${text.trimEnd()}\n\n${block}\n`;
  return text.slice(0, start) + block + text.slice(end + END.length);
}
