/** Writing, moving and removing notes through Obsidian, which keeps links and open editors right. */

import { normalizePath, parseFrontMatterAliases, type App, type TFile } from "obsidian";
import { nameKey, uniqueStem } from "../notes/names";

/** Something stands in the way of a change; the message is meant for people. */
export class ChangeRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChangeRefused";
  }
}

export class NoteFiles {
  constructor(private readonly app: App) {}

  /** Return the file of a note, or throw ChangeRefused. */
  file(path: string): TFile {
    const file = this.app.vault.getFileByPath(path);
    if (!file) throw new ChangeRefused(`There is no note at ${path} any more.`);
    return file;
  }

  read(path: string): Promise<string> {
    return this.app.vault.read(this.file(path));
  }

  /** Return the shortest target of a link that means this note and no other: its name, or its path. */
  linkTo(path: string): string {
    const { basename } = this.file(path);
    const alike = this.app.vault.getMarkdownFiles().filter((other) => nameKey(other.basename) === nameKey(basename));
    return alike.length <= 1 ? basename : path.replace(/\.md$/, "");
  }

  /** Change the text in one step; `change` may throw, and then nothing is written. */
  async change(path: string, change: (text: string) => string): Promise<{ before: string; after: string }> {
    let before = "";
    const after = await this.app.vault.process(this.file(path), (text) => {
      before = text;
      return change(text);
    });
    return { before, after };
  }

  /** Move a note into a folder under its own name, numbered if that is taken; returns the new path. */
  async moveTo(path: string, folder: string): Promise<string> {
    const file = this.file(path);
    let target = normalizePath(`${folder}/${file.basename}.md`);
    for (let number = 2; this.exists(target); number++) target = normalizePath(`${folder}/${file.basename} ${number}.md`);
    await this.rename(path, target);
    return target;
  }

  /** Move a note to exactly this path. Throws ChangeRefused if something is there. */
  async rename(path: string, target: string): Promise<void> {
    if (this.exists(target)) throw new ChangeRefused(`Something is already at ${target}.`);
    await this.makeFolder(target.slice(0, target.lastIndexOf("/")));
    await this.app.fileManager.renameFile(this.file(path), target);
  }

  /** Create a note under a name that is unique in the vault; returns its path. */
  async create(folder: string, title: string, render: (stem: string) => string): Promise<string> {
    await this.makeFolder(folder);
    const taken = new Set(this.takenNames());
    const stem = uniqueStem(title, (key) => taken.has(key));
    const path = normalizePath(`${folder}/${stem}.md`);
    await this.app.vault.create(path, render(stem));
    return path;
  }

  trash(path: string): Promise<void> {
    return this.app.fileManager.trashFile(this.file(path));
  }

  /** Tell whether a file or folder is there, without regard to case and normal form. */
  exists(path: string): boolean {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "/";
    const children = this.app.vault.getFolderByPath(folder)?.children ?? [];
    const wanted = nameKey(path);
    return children.some((child) => nameKey(child.path) === wanted);
  }

  // aliases count, or an existing link could come to mean the new note
  private takenNames(): string[] {
    const { metadataCache, vault } = this.app;
    return vault.getMarkdownFiles().flatMap((file) => {
      const aliases = parseFrontMatterAliases(metadataCache.getFileCache(file)?.frontmatter ?? null) ?? [];
      return [file.basename, ...aliases].map(nameKey);
    });
  }

  private async makeFolder(folder: string): Promise<void> {
    const { vault } = this.app;
    let path = "";
    for (const part of folder.split("/").filter((name) => name !== "")) {
      path = path === "" ? part : `${path}/${part}`;
      if (!vault.getFolderByPath(path)) await vault.createFolder(path);
    }
  }
}
