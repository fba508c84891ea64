/** Makes memories of the lines of a note that are tagged #remember, and links them from there. */

import type { App, TFile } from "obsidian";
import { titleFrom } from "../notes/names";
import { contentOf, REMEMBER_TAG, withLink } from "../notes/tagged-line";
import type { Change } from "./journal";
import type { NewText } from "./memory-actions";
import type { NoteFiles } from "./note-files";

/** Tell whether a note has such lines, as far as the app knows. */
export function hasTaggedLines(app: App, file: TFile): boolean {
  return linesOf(app, file).length > 0;
}

/** Remember each line; returns how many were. A line that changed meanwhile stays as it is. */
export async function rememberTagged(
  app: App,
  files: NoteFiles,
  file: TFile,
  remember: (text: NewText) => Promise<Change>,
): Promise<number> {
  const lines = (await app.vault.read(file)).split("\n");
  let count = 0;
  for (const index of linesOf(app, file)) {
    const line = lines[index] ?? "";
    const content = contentOf(line);
    // what the app knew of the tags may be older than the text
    if (content === "" || withLink(line, "") === line) continue;
    const made = await remember({ content, title: titleFrom(content), source: `[[${file.basename}]]` });
    const target = app.vault.getFileByPath(made.to);
    const link = target ? app.fileManager.generateMarkdownLink(target, file.path) : "";
    await files.change(file.path, (text) => replaceLine(text, line, withLink(line, link)));
    count++;
  }
  return count;
}

function replaceLine(text: string, line: string, wanted: string): string {
  const lines = text.split("\n");
  const index = lines.indexOf(line);
  if (index >= 0) lines[index] = wanted;
  return lines.join("\n");
}

// the app knows tags from what only looks like one, in code and in links
function linesOf(app: App, file: TFile): number[] {
  const tags = app.metadataCache.getFileCache(file)?.tags ?? [];
  const ours = tags.filter(({ tag }) => tag.toLowerCase() === `#${REMEMBER_TAG}`);
  return [...new Set(ours.map(({ position }) => position.start.line))];
}
