/** What is known about a person: by preference, project, person, place and other names, from live memories alone. */

import { folded, lastPart } from "../notes/links";
import type { MemoryNote } from "../obsidian/memory-cache";

export interface SubjectFacts {
  readonly name: string;
  /** The most telling first: pinned, then by score. */
  readonly notes: readonly MemoryNote[];
}

export interface Section {
  readonly label: string;
  readonly subjects: readonly SubjectFacts[];
}

/** Tells what kind of thing a name stands for, by the vault's own folders and tags; null if they do not say. */
export type KindOfName = (name: string) => "person" | "place" | null;

const PREFERENCE_TAG = /(?:^|\/)(?:preferences?|rules?|habits?)$/i;
const PROJECT_TAG = /^projects?\/(.+)$/i;
const SECTIONS = ["Preferences", "Projects", "People", "Places", "Other names"] as const;

type Label = (typeof SECTIONS)[number];

/** What a profile is made with. */
export interface Measures {
  readonly kindOf: KindOfName;
  /** Orders facts and subjects. */
  readonly worth: (note: MemoryNote) => number;
  /** Tells what no other memory replaces. */
  readonly holds: (note: MemoryNote) => boolean;
  /** Tells what stays though it is archived, as its undo is offered there. */
  readonly stays: (note: MemoryNote) => boolean;
}

/** Return the sections that are not empty. */
export function profile(notes: readonly MemoryNote[], { kindOf, worth, holds, stays }: Measures): Section[] {
  const live = notes.filter((note) => (note.tier !== "archived" && holds(note)) || stays(note));
  const sections = new Map<Label, Map<string, { name: string; notes: MemoryNote[] }>>();
  for (const note of live) {
    for (const [label, name] of placesOf(note, kindOf)) {
      const subjects = sections.get(label) ?? new Map<string, { name: string; notes: MemoryNote[] }>();
      sections.set(label, subjects);
      const subject = subjects.get(folded(name)) ?? { name, notes: [] };
      subjects.set(folded(name), subject);
      if (!subject.notes.includes(note)) subject.notes.push(note);
    }
  }
  const value = (note: MemoryNote): number => (note.memory.usage.pinned ? 1e6 : 0) + worth(note);
  return SECTIONS.flatMap((label) => {
    const subjects = [...(sections.get(label)?.values() ?? [])];
    for (const subject of subjects) subject.notes.sort((one, other) => value(other) - value(one));
    const total = (subject: SubjectFacts): number => subject.notes.reduce((sum, note) => sum + value(note), 0);
    return subjects.length === 0 ? [] : [{ label, subjects: subjects.sort((one, other) => total(other) - total(one)) }];
  });
}

function placesOf(note: MemoryNote, kindOf: KindOfName): (readonly [Label, string])[] {
  const { tags, entities, project, usage } = note.memory;
  const standing = usage.kind !== null || tags.some((tag) => PREFERENCE_TAG.test(tag));
  const projects = [project ?? [], tags.flatMap((tag) => PROJECT_TAG.exec(tag)?.[1] ?? [])].flat();
  const names = entities.map(lastPart).filter((name) => !projects.some((other) => folded(other) === folded(name)));
  return [
    ...(standing ? [["Preferences", ""] as const] : []),
    ...projects.map((name) => ["Projects", name] as const),
    ...names.map((name) => [labelOf(kindOf(name)), name] as const),
  ];
}

function labelOf(kind: ReturnType<KindOfName>): Label {
  if (kind === null) return "Other names";
  return kind === "person" ? "People" : "Places";
}
