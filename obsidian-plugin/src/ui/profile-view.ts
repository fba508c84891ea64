/** What it knows about me: one page, each line with its source and how fresh it is, and one key for what is wrong. */

import { Platform } from "obsidian";
import { bodyOf } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { isWaiting } from "../domain/trust";
import { inert } from "../notes/inert";
import { firstLine } from "../notes/names";
import type { MemoryNote } from "../obsidian/memory-cache";
import { kindOfName } from "../obsidian/names-in-vault";
import { ICONS } from "./icons";
import type { LearntLine, StreamLine } from "./learnt-model";
import { originWord } from "./learnt-row";
import { profile, type Section } from "./profile-model";
import { headButton, StreamView } from "./stream-view";
import { standing } from "./standing";

export const PROFILE_VIEW = "mnemex-profile";

const SHOWN = 5;

export class ProfileView extends StreamView {
  private whole = false;

  getViewType(): string {
    return PROFILE_VIEW;
  }

  getDisplayText(): string {
    return "What it knows about me";
  }

  override getIcon(): string {
    return ICONS.profile;
  }

  protected override variant(): string {
    return String(this.whole);
  }

  protected override makeLines(): readonly StreamLine[] {
    return this.sections().flatMap(({ label, subjects }) =>
      subjects.flatMap(({ name, notes }): StreamLine[] => {
        const key = `${label}/${name}`;
        const heading = name === "" ? label : `${name} · ${label.toLowerCase()}`;
        const shown = notes.slice(0, this.whole ? notes.length : SHOWN);
        const lines = shown.map((note, index): LearntLine => {
          const { usage, source } = note.memory;
          const what = source === null ? [] : [source.replace(/^\[\[(.*)\]\]$/, "$1")];
          return { kind: "learnt", key: `${key}/${note.memory.id}`, note, at: usage.created, what, isNew: false, position: index + 1, size: shown.length };
        });
        return [{ kind: "day", key, day: "", at: 0, label: heading, count: notes.length }, ...lines];
      }),
    );
  }

  protected override timeOf(line: LearntLine): string {
    return this.companion.words().day(line.at, this.companion.now());
  }

  protected override openTrail(session: string): void {
    void this.companion.openLearnt({ trail: session });
  }

  protected override say(parent: HTMLElement): void {
    const text = this.whole ? "All that it knows." : `What matters most, ${SHOWN} of each at the most. ${Platform.isMobile ? "Tap" : "Press 4 on"} what is wrong.`;
    parent.createSpan({ text });
  }

  protected override offer(parent: HTMLElement): void {
    headButton(parent, ICONS.expand, this.whole ? "Less" : "All", () => {
      this.whole = !this.whole;
      this.refresh();
    });
    headButton(parent, ICONS.note, "Write it into the vault", () => void this.write());
  }

  private sections(): Section[] {
    const { cache } = this.companion;
    const now = this.companion.now();
    const worth = (note: MemoryNote): number => standing(note, cache.settings.policy, now).level;
    // what strangers said says nothing of the person before the person agrees
    const trusted = cache.all().filter((note) => !isWaiting(note, cache.settings.approve));
    const holding = new Set(cache.present());
    return profile(trusted, {
      kindOf: (name) => kindOfName(this.app, name),
      worth,
      holds: (note) => holding.has(note),
      stays: (note) => note.tier === "archived" && this.doneTo(note) !== null,
    });
  }

  private async write(): Promise<void> {
    const parts: string[] = [];
    for (const { label, subjects } of this.sections()) {
      parts.push(`## ${label}`);
      for (const { name, notes } of subjects) {
        if (name !== "") parts.push(`### ${inert(name)}`);
        const lines = await Promise.all(notes.slice(0, SHOWN).map((note) => this.lineOf(note)));
        parts.push(lines.join("\n"));
      }
    }
    const day = this.companion.words().day(this.companion.now(), this.companion.now());
    await this.companion.writeProfile(`Written ${day}. It is replaced when you ask again; what you write below stays.\n\n${parts.join("\n\n")}`);
  }

  private async lineOf(note: MemoryNote): Promise<string> {
    const file = this.app.vault.getFileByPath(note.path);
    if (!file) return `- ${inert(note.memory.title)}`;
    const { origin, usage, title } = note.memory;
    const text = firstLine(asGiven(bodyOf(await this.app.vault.cachedRead(file)), origin)) || title;
    const words = this.companion.words();
    const now = this.companion.now();
    const marks = [usage.pinned ? "pinned" : "", originWord(origin), words.day(usage.created, now)].filter((mark) => mark !== "");
    return `- ${inert(text)} (${this.app.fileManager.generateMarkdownLink(file, "")}, ${marks.join(", ")})`;
  }
}
