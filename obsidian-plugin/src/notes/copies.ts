/** File names that sync tools give to a second version of a note. */

// Syncthing; then Obsidian Sync, Dropbox, Nextcloud and the server
const CONFLICT_COPY = /\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{1,16})?$|\([^()]*conflicted copy[^()]*\)( ?\(?\d{1,3}\)?)?$/iu;

/** Tell whether a sync tool, or the server, put a second version of a note at this path. */
export function isConflictCopy(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.md$/i.test(name) && CONFLICT_COPY.test(name.slice(0, -".md".length));
}
