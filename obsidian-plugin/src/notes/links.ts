/** Wikilinks in properties. */

/** Return the name that a wikilink points to, without brackets, heading and alias; other text as it is. */
export function linkTarget(text: string): string {
  const match = /^\s*!?\[\[([^\]|#]*)[^\]]*\]\]\s*$/.exec(text);
  return (match?.[1] ?? text).trim();
}

/** Return the last part of a link path, without the extension. */
export function linkName(target: string): string {
  return target.slice(target.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}

/** Return a text in which letters compare without regard to case and normal form. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
