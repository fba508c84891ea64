/** Names in links, compared as Obsidian does. */

/** Return the last part of a link target, without heading and extension. */
export function lastPart(target: string): string {
  const path = target.replace(/[#^].*$/, "").trim();
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}

/** Return a text in which letters compare without regard to case and normal form. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
