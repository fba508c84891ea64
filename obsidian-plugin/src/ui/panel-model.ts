/** What the panel lists: tiers, groups, rows, as one flat list of lines of known kinds. */

import type { Instant, Tier } from "../domain/memory";
import { folded } from "../notes/links";
import type { VaultSettings } from "../notes/settings";
import type { Change } from "../obsidian/journal";
import type { MemoryNote } from "../obsidian/memory-cache";
import type { Related } from "../obsidian/related";
import { archival, byDaysLeft, byTitle, type Farewells, farewells, type Standing, standing } from "./standing";
import type { Words } from "./words";

export type SortOrder = "days" | "score" | "title" | "used" | "created";

export interface PanelQuery {
  readonly tier: Tier;
  readonly search: string;
  readonly tag: string | null;
  readonly sort: SortOrder;
  readonly collapsed: ReadonlySet<string>;
}

export type Line = GroupLine | MemoryLine;

export interface GroupLine {
  readonly kind: "group";
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly collapsed: boolean;
}

export interface MemoryLine {
  /** `about` is one in the group "About this note", with the reason. */
  readonly kind: "memory" | "about";
  readonly key: string;
  readonly group: string;
  readonly item: Standing;
  /** Place within the group, from 1, and how many there are. */
  readonly position: number;
  readonly size: number;
  readonly why: string;
}

export interface PanelModel {
  readonly lines: readonly Line[];
  readonly counts: Readonly<Record<Tier, number>>;
  /** How many match in each tier; equal to `counts` without search and tag. */
  readonly matches: Readonly<Record<Tier, number>>;
  /** Tell in words when a memory fades or how it came here. */
  readonly when: (item: Standing) => string;
}

interface Group {
  readonly key: string;
  readonly label: string;
  readonly items: Standing[];
  /** Why each is about the note that is open. */
  readonly why?: readonly string[];
}

export interface PanelSource {
  readonly notes: readonly MemoryNote[];
  readonly related: readonly Related[];
  readonly settings: VaultSettings;
  readonly words: Words;
  /** The plugin's own changes. */
  readonly changes: readonly Change[];
  /** The text below the frontmatter, as far as it was read. */
  readonly bodyOf: (path: string) => string;
}

/** Build the list for a query at a moment. */
export function panelModel(source: PanelSource, query: PanelQuery, now: Instant): PanelModel {
  const { policy } = source.settings;
  const matches = matcher(query, source.bodyOf);
  const found = source.notes.filter(matches);
  const items = found.filter((note) => note.tier === query.tier).map((note) => standing(note, policy, now));
  const groups = grouped(items, query, source, now);
  if (query.search === "" && query.tag === null && source.related.length > 0) {
    const items = source.related.map(({ note }) => standing(note, policy, now));
    const why = source.related.map((related) => related.why);
    groups.unshift({ key: "about", label: "About this note", items, why });
  }
  const gone = farewells(query.tier === "archived" ? source.notes : [], source.changes);
  return {
    lines: groups.flatMap((group) => linesOf(group, query)),
    counts: countTiers(source.notes),
    matches: countTiers(found),
    when: (item) => whenOf(item, source.words, gone, now),
  };
}

/** Return the tags of all memories, the most frequent first. */
export function tagCounts(notes: readonly MemoryNote[]): { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const note of notes) for (const tag of note.memory.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const all = [...counts].map(([tag, count]) => ({ tag, count }));
  return all.sort((one, other) => other.count - one.count || one.tag.localeCompare(other.tag));
}

function matcher(query: PanelQuery, bodyOf: (path: string) => string): (note: MemoryNote) => boolean {
  const words = folded(query.search).split(/\s+/).filter((word) => word !== "");
  const wanted = query.tag === null ? null : folded(query.tag);
  return (note) => {
    if (wanted !== null && !note.memory.tags.some((tag) => isBelow(folded(tag), wanted))) return false;
    if (words.length === 0) return true;
    const text = searchText(note);
    return words.every((word) => matchesWord(word, text, note) || bodyOf(note.path).includes(word));
  };
}

function matchesWord(word: string, text: string, note: MemoryNote): boolean {
  const tag = /^(?:tag:)?#?(.+)$/.exec(word)?.[1] ?? word;
  if (tag === word) return text.includes(word);
  return note.memory.tags.some((own) => isBelow(folded(own), tag));
}

function isBelow(tag: string, wanted: string): boolean {
  return tag === wanted || tag.startsWith(`${wanted}/`);
}

const searchTexts = new WeakMap<MemoryNote, string>();

function searchText(note: MemoryNote): string {
  let text = searchTexts.get(note);
  if (text === undefined) {
    const { title, aliases, tags, entities, project, source, context } = note.memory;
    const parts = [title, note.path, ...aliases, ...tags, ...entities, project ?? "", source ?? "", context ?? ""];
    text = folded(parts.join("\n"));
    searchTexts.set(note, text);
  }
  return text;
}

function countTiers(notes: readonly MemoryNote[]): Record<Tier, number> {
  const counts: Record<Tier, number> = { "short-term": 0, "long-term": 0, archived: 0 };
  for (const note of notes) counts[note.tier]++;
  return counts;
}

function grouped(items: Standing[], query: PanelQuery, source: PanelSource, now: Instant): Group[] {
  if (query.tier === "archived") return byMonth(items, source, query.sort, now);
  const sorted = items.sort(comparison(query.sort, query.tier));
  if (query.tier === "long-term") {
    const pinned = sorted.filter(({ state }) => state === "pinned");
    const others = sorted.filter(({ state }) => state !== "pinned");
    return filled([
      { key: "permanent", label: "Permanent", items: others },
      { key: "long-term-pinned", label: "Pinned", items: pinned },
    ]);
  }
  const of = (state: string): Standing[] => sorted.filter((item) => item.state === state);
  return filled([
    { key: "fading", label: "Fading", items: of("fading") },
    { key: "due", label: "Due for review", items: of("due") },
    { key: "fresh", label: "Fresh", items: of("fresh") },
    { key: "pinned", label: "Pinned", items: of("pinned") },
  ]);
}

function filled(groups: Group[]): Group[] {
  return groups.filter((group) => group.items.length > 0);
}

function comparison(sort: SortOrder, tier: Tier): (one: Standing, other: Standing) => number {
  const usage = (item: Standing) => item.note.memory.usage;
  if (sort === "score") return (one, other) => other.score - one.score || byTitle(one, other);
  if (sort === "title") return byTitle;
  if (sort === "created") return (one, other) => usage(other).created - usage(one).created || byTitle(one, other);
  if (sort === "days" && tier === "short-term") return byDaysLeft;
  return (one, other) => usage(other).lastUsed - usage(one).lastUsed || byTitle(one, other);
}

const MONTHS_SHOWN = 12;

function byMonth(items: Standing[], source: PanelSource, sort: SortOrder, now: Instant): Group[] {
  const gone = farewells(source.notes, source.changes);
  const dated = items.map((item) => ({ item, at: archival(item, gone, now).at ?? item.note.memory.usage.lastUsed }));
  dated.sort((one, other) => other.at - one.at || byTitle(one.item, other.item));
  const groups = new Map<string, Group>();
  const oldest = now - MONTHS_SHOWN * 31 * 86_400_000;
  for (const { item, at } of dated) {
    const label = at < oldest ? "Earlier" : source.words.month(at, now);
    const group = groups.get(label) ?? { key: `month:${label}`, label, items: [] };
    group.items.push(item);
    groups.set(label, group);
  }
  if (sort === "title") for (const group of groups.values()) group.items.sort(byTitle);
  return [...groups.values()];
}

function linesOf(group: Group, query: PanelQuery): Line[] {
  const collapsed = query.collapsed.has(group.key);
  const { key, label, items } = group;
  const head: GroupLine = { kind: "group", key, label, count: items.length, collapsed };
  if (collapsed) return [head];
  const kind = group.why ? "about" : "memory";
  const size = items.length;
  const rows = items.map((item, index): MemoryLine => {
    return { kind, key: `${key}/${item.note.path}`, group: key, item, position: index + 1, size, why: group.why?.[index] ?? "" };
  });
  return [head, ...rows];
}

function whenOf(item: Standing, words: Words, gone: Farewells, now: Instant): string {
  if (item.note.tier === "archived") {
    const { how, at } = archival(item, gone, now);
    return at === null ? `${how}, last used ${words.day(item.note.memory.usage.lastUsed, now)}` : `${how} ${words.day(at, now)}`;
  }
  if (item.state === "pinned") return "pinned";
  if (item.note.tier === "short-term") return words.fades(item.fadesAt, now);
  const { promoted, created } = item.note.memory.usage;
  return `since ${words.day(promoted ?? created, now)}`;
}
