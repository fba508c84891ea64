/** What a person can do to a memory: decide by the shared rules, write by the shared line editor, keep the way back. */

import type { Instant, RelationType, Tier, Usage } from "../domain/memory";
import { observe, use } from "../domain/reinforcement";
import { waits } from "../domain/trust";
import { composeNote, newMemoryId, type NewMemory, ownValues } from "../notes/compose";
import { readInstant, writeDay } from "../notes/dates";
import { bodyOf, type Changes, editFrontmatter, type Properties, readFrontmatter, type Value, withBody } from "../notes/frontmatter";
import { asGiven } from "../notes/given";
import { inert } from "../notes/inert";
import { kindOf } from "../notes/kinds";
import { tierOf } from "../notes/layout";
import { memoryId, readUsage, timeValue, usageChanges, type WritingContext } from "../notes/note";
import type { VaultSettings } from "../notes/settings";
import { targetsOf, textOf } from "../notes/values";
import type { Change, Journal, Verb } from "./journal";
import type { MemoryNote } from "./memory-cache";
import { ChangeRefused, type NoteFiles } from "./note-files";

export interface Surroundings {
  readonly settings: () => VaultSettings;
  /** Why it is not certain now where memories belong, null if it is. */
  readonly doubt: () => string | null;
  readonly now: () => Instant;
  readonly random: () => Uint8Array;
  readonly dateKeys: () => Promise<ReadonlySet<string>>;
}

/** A change of one note: what happens to its usage, and into which tier it moves. */
interface Plan {
  readonly verb: Verb;
  readonly change: (usage: Usage, now: Instant) => Usage;
  readonly tier?: Tier;
  /** It is a person's yes to what a stranger said. */
  readonly isYes?: boolean;
  /** What is said of another memory. */
  readonly relation?: readonly [RelationType, MemoryNote];
}

export interface NewText {
  readonly content: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly source?: string;
  readonly origin?: "web";
  /** The memory that is not true any more, and the name of its note. */
  readonly replaces?: { readonly note: MemoryNote; readonly stem: string };
}

// longer texts are undone only until the app is closed
const KEPT_TEXT = 10_000;

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

  /** Keep a memory: a use that also counts as a review, once a day. Throws ChangeRefused where it says nothing new. */
  async keep(note: MemoryNote): Promise<Change> {
    if (!this.isReviewed(note)) {
      return this.commit(note, { verb: "kept", isYes: true, change: (usage, now) => observe(usage, now, this.dayOf, false) });
    }
    if (await this.isWaiting(note)) return this.approve(note);
    throw new ChangeRefused(`“${note.memory.title}” was kept today; a second time does not count.`);
  }

  /** Tell whether a note as it is now waits for a yes. */
  async isWaiting({ path, tier }: MemoryNote): Promise<boolean> {
    const properties = readFrontmatter(await this.files.read(path));
    return "approved" in this.approval(properties, await this.writing(tier));
  }

  /** Say yes to what a stranger said. */
  approve(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "approved", isYes: true, change: (usage) => usage });
  }

  /** Tell whether a memory was reviewed today. */
  isReviewed({ memory: { usage } }: MemoryNote): boolean {
    return usage.lastReview !== null && this.dayOf(usage.lastReview) === this.dayOf(this.around.now());
  }

  pin(note: MemoryNote, pinned: boolean): Promise<Change> {
    return this.commit(note, { verb: pinned ? "pinned" : "unpinned", isYes: pinned, change: (usage) => ({ ...usage, pinned }) });
  }

  promote(note: MemoryNote): Promise<Change> {
    const change = (usage: Usage, now: Instant): Usage => ({ ...usage, promoted: now });
    return this.commit(note, { verb: "promoted", tier: "long-term", isYes: true, change });
  }

  demote(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "demoted", tier: "short-term", change: (usage) => usage });
  }

  archive(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "let go", tier: "archived", change: (usage) => usage });
  }

  /** Put away what is not true any more. */
  outdate(note: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "outdated", tier: "archived", change: (usage) => usage });
  }

  /** Say of two memories that seem to contradict each other that both are true. */
  allowBoth(note: MemoryNote, other: MemoryNote): Promise<Change> {
    return this.commit(note, { verb: "both true", change: (usage) => usage, relation: ["both_true", other] });
  }

  /** Say that a memory holds in place of another, which stays as what was; it takes over the uses and the kind of that one. */
  supersede(note: MemoryNote, other: MemoryNote): Promise<Change> {
    const { useCount, daysUsed, kind } = other.memory.usage;
    const change = (usage: Usage): Usage => ({
      ...usage,
      useCount: usage.useCount + useCount - 1,
      daysUsed: Math.max(usage.daysUsed, daysUsed),
      kind: usage.kind ?? (note.memory.origin === "web" ? null : kind),
    });
    return this.commit(note, { verb: "settled", change, relation: ["supersedes", other] });
  }

  /**
   * Change the text of a memory, given as it is shown. Throws ChangeRefused if it is not `seen` any more.
   *
   * The text of a stranger stays inert, whoever mends it.
   */
  async edit(note: MemoryNote, seen: string, wanted: string): Promise<Change> {
    if (wanted.trim() === "") throw new ChangeRefused("A memory needs a text; let go of it instead.");
    const { id, title, origin } = note.memory;
    const writing = await this.writing(note.tier);
    let set: Change["set"] = {};
    const texts = await this.files.change(note.path, (text) => {
      const body = bodyOf(text);
      const properties = readFrontmatter(text);
      if (memoryId(properties) !== id || asGiven(body, origin) !== seen) {
        throw new ChangeRefused(`“${title}” was changed meanwhile; your text was not written.`);
      }
      const changes = this.approval(properties, writing);
      set = valuesBeforeAndAfter(properties, changes);
      return withBody(editFrontmatter(text, changes), origin === null ? wanted : inert(wanted));
    });
    const bodies = [bodyOf(texts.before), bodyOf(texts.after)] as const;
    const kept = bodies.every((body) => body.length <= KEPT_TEXT);
    return this.record("edited", { id, title, from: note.path, to: note.path }, set, texts, kept ? { body: bodies } : {});
  }

  /** Bring a memory back from the archive; that counts as a use, or it would fade again at once. */
  restore(note: MemoryNote): Promise<Change> {
    const change = (usage: Usage, now: Instant): Usage => use(usage, now, this.dayOf);
    return this.commit(note, { verb: "restored", tier: "short-term", change });
  }

  /** Save a new short-term memory that a person wrote; one that replaces another takes over its uses and its kind. */
  async remember({ replaces, ...text }: NewText): Promise<Change> {
    this.refuseInDoubt();
    const taken = replaces ? successor(replaces.note, replaces.stem) : {};
    const now = this.around.now();
    const id = newMemoryId(this.around.random());
    const writing = await this.writing("short-term");
    let after = "";
    const path = await this.files.create(this.around.settings().layout.shortTerm, text.title, (stem) => {
      after = composeNote({ ...text, ...taken, id, stem }, now, writing);
      return after;
    });
    return this.record("remembered", { id, title: text.title, from: path, to: path }, {}, { before: null, after });
  }

  /** Make an ordinary note a memory where it lies; values that it has already are kept. */
  async adopt(path: string, title: string): Promise<Change> {
    const { zone, layout } = this.around.settings();
    const now = this.around.now();
    const id = newMemoryId(this.around.random());
    const writing = await this.writing(tierOf(path, layout));
    let set: Change["set"] = {};
    const texts = await this.files.change(path, (text) => {
      const properties = readFrontmatter(text);
      refuseToAdopt(path, properties);
      const given = Object.entries(ownValues(id, now, writing));
      const changes = Object.fromEntries(given.filter(([key]) => !isKept(key, properties, zone)));
      set = valuesBeforeAndAfter(properties, changes);
      return editFrontmatter(text, changes);
    });
    return this.record("adopted", { id, title, from: path, to: path }, set, texts);
  }

  private readonly dayOf = (instant: Instant): string => writeDay(instant, this.around.settings().zone);

  private async commit(note: MemoryNote, plan: Plan): Promise<Change> {
    const now = this.around.now();
    const tier = plan.tier ?? note.tier;
    if (tier !== note.tier) this.refuseInDoubt();
    const writing = await this.writing(tier);
    let set: Change["set"] = {};
    const texts = await this.files.change(note.path, (text) => {
      const properties = readFrontmatter(text);
      const yes = plan.isYes === true ? this.approval(properties, writing) : {};
      const changes = { ...changesOf(properties, plan, writing, now), ...yes, ...this.related(properties, plan) };
      set = valuesBeforeAndAfter(properties, changes);
      return editFrontmatter(text, changes);
    });
    const to = tier === note.tier ? note.path : await this.move(note, plan, tier, texts);
    const { id, title } = note.memory;
    return this.record(plan.verb, { id, title, from: note.path, to }, set, texts);
  }

  /** Return what notes the yes to a memory that waits for it. */
  private approval(properties: Properties, writing: WritingContext): Changes {
    const approved = readInstant(properties.approved, writing.zone);
    const isWaiting = waits(textOf(properties.origin), approved, this.around.settings().approve);
    return isWaiting ? { approved: timeValue("approved", this.around.now(), writing) } : {};
  }

  private related(properties: Properties, { relation }: Plan): Changes {
    if (!relation) return {};
    const [type, other] = relation;
    const name = this.files.linkTo(other.path);
    const known = targetsOf(properties[type]);
    if (known.includes(name)) return {};
    // what a person wrote stays as it is spelled, an alias for example
    const written = [properties[type] ?? []].flat();
    const kept = written.every((item) => typeof item === "string") ? written : known.map((one) => `[[${one}]]`);
    return { [type]: [...kept, `[[${name}]]`] };
  }

  private refuseInDoubt(): void {
    const doubt = this.around.doubt();
    if (doubt === null) return;
    throw new ChangeRefused(`Mend the settings note first (${doubt}); until then no note is moved or made.`);
  }

  private async writing(tier: Tier): Promise<WritingContext> {
    const { policy, zone } = this.around.settings();
    return { tier, policy, zone, dateKeys: await this.around.dateKeys() };
  }

  private async move(
    note: MemoryNote,
    plan: Plan,
    tier: Tier,
    texts: { before: string; after: string },
  ): Promise<string> {
    try {
      const home = plan.verb === "restored" ? this.homeOf(note) : null;
      return await this.files.moveTo(note.path, home ?? this.folderFor(tier, this.around.now()));
    } catch (error) {
      await this.files.change(note.path, (text) => (text === texts.after ? texts.before : text));
      throw error;
    }
  }

  /** Return the folder the note lay in before it was let go, as far as the journal remembers. */
  private homeOf(note: MemoryNote): string | null {
    const { layout } = this.around.settings();
    const gone = [...this.journal.all()].reverse().find(({ verb, to }) => (verb === "let go" || verb === "outdated") && to === note.path);
    const short = gone && tierOf(gone.from, layout) === "short-term";
    return short ? gone.from.slice(0, gone.from.lastIndexOf("/")) : null;
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
    more: Pick<Change, "body"> = {},
  ): Promise<Change> {
    const { id: ofMemory, ...rest } = place;
    const id = newMemoryId(this.around.random());
    const change: Change = { id, at: this.around.now(), verb, memoryId: ofMemory, ...rest, set, ...more, undone: false };
    this.journal.add(change, texts);
    return change;
  }
}

/** Return what the successor of a memory takes over: what it is about, its uses and its kind. */
function successor({ memory, properties }: MemoryNote, stem: string): Pick<NewMemory, "carried" | "inherited"> {
  const { tags, usage } = memory;
  const { entities, project } = properties;
  const carried = { tags, entities: asValue(entities), project: asValue(project), supersedes: [`[[${stem}]]`] };
  return { carried, inherited: { useCount: usage.useCount, daysUsed: usage.daysUsed, kind: usage.kind } };
}

function changesOf(properties: Properties, plan: Plan, writing: WritingContext, now: Instant): Changes {
  // seconds are what a note holds; more would be lost on the way and change the score
  const moment = Math.floor(now / 1000) * 1000;
  const before = readUsage(properties, writing.zone, moment);
  return usageChanges(before, plan.change(before, moment), properties, writing);
}

const NOT_ADOPTED = {
  memory: "This note is a memory already.",
  foreign: "This note belongs to another plugin.",
  private: "This note is private.",
  generated: "This note is kept by the server.",
} as const;

function refuseToAdopt(path: string, properties: Properties): void {
  const kind = kindOf(path, properties);
  if (kind !== "ordinary") throw new ChangeRefused(NOT_ADOPTED[kind]);
}

function isKept(key: string, properties: Properties, zone: VaultSettings["zone"]): boolean {
  const value = properties[key];
  if (value === undefined || value === null || key === "memory_id") return false;
  return (key !== "created" && key !== "last_used") || readInstant(value, zone) !== null;
}

function valuesBeforeAndAfter(properties: Properties, changes: Changes): Change["set"] {
  const entries = Object.entries(changes).map(([key, after]) => [key, [asValue(properties[key]), after]] as const);
  return Object.fromEntries(entries.filter(([, [before, after]]) => before !== after));
}

function asValue(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(String) : null;
}
