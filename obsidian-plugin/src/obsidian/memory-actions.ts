/** What a person can do to a memory: decide by the shared rules, write by the shared line editor, keep the way back. */

import type { Instant, Tier, Usage } from "../domain/memory";
import { observe, use } from "../domain/reinforcement";
import { composeNote, newMemoryId, ownProperties } from "../notes/compose";
import { readInstant, writeDay } from "../notes/dates";
import { type PropertyChanges, type PropertyValue, readProperties, setProperties } from "../notes/frontmatter";
import { tierOf } from "../notes/layout";
import { fileName } from "../notes/names";
import { fadesOn, memoryId, OWN_KEYS, readUsage, usageChanges } from "../notes/note";
import type { VaultSettings } from "../notes/settings";
import type { Change, Journal, Verb } from "./journal";
import type { MemoryNote } from "./memory-cache";
import { ChangeRefused, type NoteFiles } from "./note-files";

export interface Surroundings {
  readonly settings: () => VaultSettings;
  readonly now: () => Instant;
  readonly random: () => Uint8Array;
}

/** A change of one note: what happens to its usage, and into which tier it moves. */
interface Plan {
  readonly verb: Verb;
  readonly change: (usage: Usage, now: Instant) => Usage;
  readonly tier?: Tier;
}

export interface NewText {
  readonly content: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly source?: string;
}

export class MemoryActions {
  constructor(
    private readonly files: NoteFiles,
    private readonly journal: Journal,
    private readonly around: Surroundings,
  ) {}

  use(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "used", change: (usage, now) => use(usage, now, this.dayOf) });
  }

  strengthen(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "strengthened", change: (usage, now) => use(usage, now, this.dayOf, true) });
  }

  /** Keep a memory in a review: a use that also counts as a review. */
  keep(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "kept", change: (usage, now) => observe(usage, now, this.dayOf, false) });
  }

  pin(note: MemoryNote, pinned: boolean): Promise<Change> {
    return this.commit(note, { verb: pinned ? "pinned" : "unpinned", change: (usage) => ({ ...usage, pinned }) });
  }

  promote(note: MemoryNote): Promise<Change> {
    const change = (usage: Usage, now: Instant): Usage => ({ ...usage, promoted: now });
    return this.commit(note, { verb: "promoted", tier: "long-term", change });
  }

  demote(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "demoted", tier: "short-term", change: (usage) => usage });
  }

  archive(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "let go", tier: "archived", change: (usage) => usage });
  }

  /** Bring a memory back from the archive; that counts as a use, or it would fade again at once. */
  restore(note: MemoryNote): Promise<Change> {
    const change = (usage: Usage, now: Instant): Usage => use(usage, now, this.dayOf);
    return this.commit(note, { verb: "restored", tier: "short-term", change });
  }

  /** Save a new short-term memory that a person wrote. */
  async remember(text: NewText): Promise<Change> {
    const { policy, zone, layout } = this.around.settings();
    const now = this.around.now();
    const id = newMemoryId(this.around.random());
    let after = "";
    const path = await this.files.create(layout.shortTerm, fileName(text.title), (name) => {
      after = composeNote({ ...text, id, fileName: name }, now, policy, zone);
      return after;
    });
    return this.record("remembered", { id, title: text.title, from: path, to: path }, {}, { before: null, after });
  }

  /** Make an ordinary note a memory where it lies; values that it has already are kept. */
  async adopt(path: string, title: string): Promise<Change> {
    const { policy, zone, layout } = this.around.settings();
    const now = this.around.now();
    const id = newMemoryId(this.around.random());
    let set: Change["set"] = {};
    const texts = await this.files.change(path, (text) => {
      const properties = readProperties(text);
      if (memoryId(properties) !== null) throw new ChangeRefused("This note is a memory already.");
      const given: Record<string, PropertyValue> = { ...ownProperties(id, now, policy, zone) };
      if (tierOf(path, layout) !== "short-term") given.fades_on = null;
      const missing = Object.entries(given).filter(([key]) => !isKept(key, properties, zone));
      const changes = Object.fromEntries(missing);
      set = valuesBeforeAndAfter(properties, changes);
      return setProperties(text, changes, OWN_KEYS);
    });
    return this.record("adopted", { id, title, from: path, to: path }, set, texts);
  }

  private readonly dayOf = (instant: Instant): string => writeDay(instant, this.around.settings().zone);

  private async commit(note: MemoryNote, plan: Plan): Promise<Change> {
    const now = this.around.now();
    const tier = plan.tier ?? note.tier;
    let set: Change["set"] = {};
    const texts = await this.files.change(note.path, (text) => {
      const properties = readProperties(text);
      const changes = this.changes(properties, plan, tier, now);
      set = valuesBeforeAndAfter(properties, changes);
      return setProperties(text, changes, OWN_KEYS);
    });
    const to = tier === note.tier ? note.path : await this.move(note, tier, now, texts);
    const { id, title } = note.memory;
    return this.record(plan.verb, { id, title, from: note.path, to }, set, texts);
  }

  private changes(properties: Readonly<Record<string, unknown>>, plan: Plan, tier: Tier, now: Instant): PropertyChanges {
    const { policy, zone } = this.around.settings();
    // seconds are what a note holds; more would be lost on the way and change the score
    const moment = Math.floor(now / 1000) * 1000;
    const before = readUsage(properties, zone, moment);
    const after = plan.change(before, moment);
    return { ...usageChanges(before, after, { tier, policy, zone }), fades_on: fadesOn(after, tier, policy, zone) };
  }

  private async move(
    note: MemoryNote,
    tier: Tier,
    now: Instant,
    texts: { before: string; after: string },
  ): Promise<string> {
    try {
      return await this.files.moveTo(note.path, this.folderFor(tier, now));
    } catch (error) {
      await this.files.change(note.path, (text) => (text === texts.after ? texts.before : text));
      throw error;
    }
  }

  private folderFor(tier: Tier, now: Instant): string {
    const { layout } = this.around.settings();
    if (tier === "archived") return `${layout.archive}/${this.dayOf(now).slice(0, 4)}`;
    return tier === "short-term" ? layout.shortTerm : layout.longTerm;
  }

  private async record(
    verb: Verb,
    place: { id: string; title: string; from: string; to: string },
    set: Change["set"],
    texts: { before: string | null; after: string },
  ): Promise<Change> {
    const { id: ofMemory, ...rest } = place;
    const id = newMemoryId(this.around.random());
    const change: Change = { id, at: this.around.now(), verb, memoryId: ofMemory, ...rest, set, undone: false };
    await this.journal.add(change, texts);
    return change;
  }
}

function isKept(key: string, properties: Readonly<Record<string, unknown>>, zone: VaultSettings["zone"]): boolean {
  if (key === "memory_id" || properties[key] === undefined || properties[key] === null) return false;
  return key !== "last_used" || readInstant(properties[key], zone) !== null;
}

function valuesBeforeAndAfter(properties: Readonly<Record<string, unknown>>, changes: PropertyChanges): Change["set"] {
  const entries = Object.entries(changes).map(([key, after]) => [key, [asValue(properties[key]), after]] as const);
  return Object.fromEntries(entries.filter(([, [before, after]]) => before !== after));
}

function asValue(value: unknown): PropertyValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(String) : null;
}
