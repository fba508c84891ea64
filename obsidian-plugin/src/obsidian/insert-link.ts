/** Puts a link to a note where the cursor is in the note that is being written. */

import { MarkdownView, type App, type TFile } from "obsidian";
import { ChangeRefused } from "./note-files";

/** Insert a link as the person's settings want it. Throws ChangeRefused where no note is being written. */
export function insertLink(app: App, target: TFile): void {
  const path = app.workspace.getActiveFile()?.path;
  const views = app.workspace.getLeavesOfType("markdown").map((leaf) => leaf.view);
  const view = views.find((it): it is MarkdownView => it instanceof MarkdownView && it.file?.path === path);
  if (!view?.file || view.getMode() !== "source") {
    throw new ChangeRefused("Open the note for editing first; the link goes to where the cursor is.");
  }
  view.editor.replaceSelection(app.fileManager.generateMarkdownLink(target, view.file.path));
}

/** Return the link that is dropped where a memory is dragged to. */
export function linkTo(app: App, target: TFile): string {
  return app.fileManager.generateMarkdownLink(target, app.workspace.getActiveFile()?.path ?? "");
}
