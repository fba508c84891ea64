/**
 * Reads what was given out of what the server wrote: in the note of a stranger it parts signs from their meaning by an
 * invisible word joiner, and doubles those that the text has itself.
 */

const JOINERS = /\u2060+/g;
const STRANGERS: ReadonlySet<string> = new Set(["ai", "web", "import"]);

/** Return the text as it was given, to be searched or shown as plain text; rendered as markdown it could act. */
export function asGiven(text: string, origin: string | null): string {
  if (origin === null || !STRANGERS.has(origin)) return text;
  return text.replace(JOINERS, (run) => run.slice(0, Math.floor(run.length / 2)));
}
