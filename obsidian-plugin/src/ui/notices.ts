/** Tells in passing what was done, with the way back. */

import { Notice } from "obsidian";
import { UnreadableNote } from "../notes/frontmatter";
import type { Change, Verb } from "../obsidian/journal";
import { ChangeRefused } from "../obsidian/note-files";

export const DONE: Readonly<Record<Verb, string>> = {
  remembered: "Remembered",
  adopted: "Made a memory",
  used: "Used",
  kept: "Kept",
  strengthened: "Strengthened",
  pinned: "Pinned",
  unpinned: "Unpinned",
  promoted: "Promoted to long-term",
  demoted: "Back in short-term",
  "let go": "Let go",
  "both true": "Both are true",
  settled: "Holds in place of another",
  outdated: "Not true any more",
  edited: "Changed",
  restored: "Restored",
  approved: "Trusted",
};

const SHOWN_MILLISECONDS = 7000;

/** Say what was done and offer to undo it. */
export function tellDone(change: Change, detail: string, undo: () => void): void {
  const fragment = createFragment();
  const more = detail === "" ? "" : `, ${detail}`;
  fragment.createSpan({ text: `${DONE[change.verb]}: ${change.title}${more}. ` });
  const link = fragment.createEl("a", { text: "Undo", href: "#" });
  const notice = new Notice(fragment, SHOWN_MILLISECONDS);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    notice.hide();
    undo();
  });
}

/** Say why something was not done; rethrows what is not meant for people. */
export function tellRefused(error: unknown): void {
  if (error instanceof ChangeRefused) new Notice(error.message);
  else if (error instanceof UnreadableNote) new Notice(`The properties of this note cannot be read: ${error.reason}.`);
  else throw error;
}
