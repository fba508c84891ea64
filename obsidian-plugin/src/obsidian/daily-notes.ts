/** Where the app keeps the note of a day, as its core plugin for daily notes is set. */

import { moment, normalizePath, type App, type TFile } from "obsidian";

const USUAL = "YYYY-MM-DD";

export class DailyNotes {
  private constructor(
    private readonly app: App,
    private readonly folder: string,
    private readonly format: string,
  ) {}

  /** Read the settings; what cannot be read counts as not set. */
  static async of(app: App): Promise<DailyNotes> {
    const { folder, format } = await settingsOf(app);
    return new DailyNotes(app, textOr(folder, ""), textOr(format, USUAL));
  }

  /** Return the note of a day `YYYY-MM-DD`, null if there is none. */
  of(day: string): TFile | null {
    const name = moment(day, USUAL).format(this.format);
    return this.app.vault.getFileByPath(normalizePath(`${this.folder}/${name}.md`));
  }
}

async function settingsOf({ vault }: App): Promise<Record<string, unknown>> {
  const path = `${vault.configDir}/daily-notes.json`;
  if (!(await vault.adapter.exists(path))) return {};
  try {
    const data: unknown = JSON.parse((await vault.adapter.read(path)).replace(/^\uFEFF/, ""));
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  } catch (error) {
    // half-written while the app saves
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function textOr(value: unknown, usual: string): string {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : usual;
}
