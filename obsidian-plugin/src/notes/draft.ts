/** The text of a note while a person changes it: shown plain, written back with the line ends and blanks it had. */

export interface Draft {
  /** The text as it stood in the note when it was opened. */
  readonly seen: string;
  readonly shown: string;
}

/** Open a text for changing. */
export function draftOf(seen: string): Draft {
  return { seen, shown: seen.trim().replaceAll("\r\n", "\n") };
}

/** Return what was typed as the note is to have it. */
export function written({ seen }: Draft, typed: string): string {
  const text = typed.trim();
  if (text === "") return "";
  const lines = seen.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
  const start = seen.length - seen.trimStart().length;
  const after = seen.slice(seen.trimEnd().length) || "\n";
  return seen.trim() === "" ? `${lines}\n` : seen.slice(0, start) + lines + after;
}
