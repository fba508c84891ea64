/** Undo and redo of the plugin's own changes; a change that a person made since is never overwritten. */

import { bodyOf, type Changes, editFrontmatter, readFrontmatter, withBody } from "../notes/frontmatter";
import { memoryId } from "../notes/note";
import { same } from "../notes/patch";
import type { Change, Journal } from "./journal";
import { ChangeRefused, type NoteFiles } from "./note-files";

// a file that was written later was edited by someone
const SAVED_WITHIN = 5000;

export class Undo {
  constructor(
    private readonly files: NoteFiles,
    private readonly journal: Journal,
  ) {}

  /** Take a change back. Throws ChangeRefused if the note was changed or moved since. */
  async undo(change: Change): Promise<void> {
    if (change.verb === "remembered") await this.remove(change);
    else await this.reverse(change);
    this.journal.mark(change, true);
  }

  /** Make an undone change again. */
  async redo(change: Change): Promise<void> {
    const texts = this.journal.textsOf(change);
    if (change.verb === "remembered") {
      if (!texts) throw new ChangeRefused("The text of that memory is no longer at hand; it may be in the trash.");
      const { folder, name } = split(change.to);
      await this.files.create(folder, name, () => texts.after);
    } else {
      await this.files.change(change.from, (text) => {
        if (texts && text === texts.before) return texts.after;
        return this.turned(text, change, 1);
      });
      if (change.from !== change.to) await this.files.rename(change.from, change.to);
    }
    this.journal.mark(change, false);
  }

  private async reverse(change: Change): Promise<void> {
    const moved = change.from !== change.to;
    if (moved && this.files.exists(change.from)) throw new ChangeRefused(`Something is already at ${change.from}.`);
    const texts = this.journal.textsOf(change);
    await this.files.change(change.to, (text) => {
      if (texts && text === texts.after) return texts.before ?? text;
      return this.withOldValues(text, change);
    });
    if (moved) await this.files.rename(change.to, change.from);
  }

  private withOldValues(text: string, change: Change): string {
    const properties = readFrontmatter(text);
    const later = Object.entries(change.set).some(([key, [, after]]) => !same(properties[key] ?? null, after));
    const other = change.verb !== "adopted" && memoryId(properties) !== change.memoryId;
    if (later || other) throw new ChangeRefused(`“${change.title}” was changed since; nothing was undone.`);
    return this.turned(text, change, 0);
  }

  /** Return the text with the values, or the words, of one side of a change. */
  private turned(text: string, change: Change, side: 0 | 1): string {
    const edited = editFrontmatter(text, values(change, side));
    if (change.verb !== "edited") return edited;
    const { body } = change;
    if (!body) throw new ChangeRefused("The text of that change is no longer at hand.");
    if (bodyOf(text) !== body[side === 0 ? 1 : 0]) throw new ChangeRefused(`“${change.title}” was changed since; nothing was done.`);
    return withBody(edited, body[side]);
  }

  private async remove(change: Change): Promise<void> {
    const texts = this.journal.textsOf(change);
    const text = await this.files.read(change.to);
    const untouched = texts ? text === texts.after : this.files.file(change.to).stat.mtime <= change.at + SAVED_WITHIN;
    if (!untouched) throw new ChangeRefused(`“${change.title}” was changed since; nothing was undone.`);
    await this.files.trash(change.to);
  }
}

function values(change: Change, side: 0 | 1): Changes {
  return Object.fromEntries(Object.entries(change.set).map(([key, pair]) => [key, pair[side]]));
}

function split(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { folder: path.slice(0, slash), name: path.slice(slash + 1).replace(/\.md$/, "") };
}
