/** A line of a note that a person tagged to be remembered. */

export const REMEMBER_TAG = "remember";

const TAG = /(^|\s)#remember(?![\p{L}\p{N}_/-])/giu;
const MARKER = /^\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?/u;

/** Return what is to be remembered: the line without its tag and its place in a list. */
export function contentOf(line: string): string {
  return line.replace(TAG, "$1").replace(MARKER, "").replace(/\s+/g, " ").trim();
}

/** Return the line with a link to the memory in place of the tag, so that it is not remembered twice. */
export function withLink(line: string, link: string): string {
  let linked = false;
  return line.replace(TAG, (_tag, before: string) => {
    const first = !linked;
    linked = true;
    return first ? before + link : "";
  });
}
