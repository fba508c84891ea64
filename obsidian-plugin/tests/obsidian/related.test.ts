import { expect, test } from "vitest";
import { relatedMemories, type Subject } from "../../src/obsidian/related";
import { memoryNote } from "../notes_of";

const NONE: Subject = {
  path: "Projects/Frontend stack.md",
  names: ["Frontend stack", "FE"],
  headings: [],
  tags: [],
  entities: [],
  linksTo: new Set(),
  linkedFrom: new Set(),
};

const titles = (subject: Subject, notes: Parameters<typeof relatedMemories>[1]): string[] =>
  relatedMemories(subject, notes).map(({ note }) => note.memory.title);

const reasons = (subject: Subject, notes: Parameters<typeof relatedMemories>[1]): string[] =>
  relatedMemories(subject, notes).map(({ note, why }) => `${note.memory.title}: ${why}`);

test("links to the note count most, then entities, then tags; what it links to already is left out", () => {
  const notes = [
    memoryNote("Tagged", { tags: ["svelte"] }),
    memoryNote("Named", { entities: ["fe"] }),
    memoryNote("Linked"),
    memoryNote("Links here"),
    memoryNote("Other", { tags: ["home"] }),
  ];
  const subject = {
    ...NONE,
    tags: ["Svelte"],
    linksTo: new Set(["Memories/Short-term/Linked.md"]),
    linkedFrom: new Set(["Memories/Short-term/Links here.md"]),
  };
  expect(titles(subject, notes)).toEqual(["Links here", "Named", "Tagged"]);
});

test("a tag that many memories carry says too little", () => {
  const notes = Array.from({ length: 30 }, (_, index) => memoryNote(`Note ${index}`, { tags: ["work"] }));
  expect(titles({ ...NONE, tags: ["work"] }, notes)).toEqual([]);
});

test("a note is not related to itself, and the list stays short", () => {
  const notes = Array.from({ length: 30 }, (_, index) => memoryNote(`Note ${index}`, { entities: ["Frontend stack"] }));
  const self = memoryNote("Self", { path: NONE.path, entities: ["Frontend stack"] });
  expect(titles(NONE, [self, ...notes])).toHaveLength(12);
  expect(titles(NONE, [self])).toEqual([]);
});

test("each says why it is there, the strongest reason first", () => {
  const subject = {
    ...NONE,
    headings: ["Staging deploy"],
    tags: ["svelte"],
    entities: ["Zoë"],
    linkedFrom: new Set(["Memories/Short-term/Links here.md"]),
  };
  const notes = [
    memoryNote("Links here", { tags: ["svelte"] }),
    memoryNote("Named", { entities: ["FE"] }),
    memoryNote("Shares", { entities: ["zoë"] }),
    memoryNote("Never deploy to staging on a Friday"),
    memoryNote("Wants a deploy button"),
  ];
  expect(reasons(subject, notes)).toEqual([
    "Links here: links here · #svelte",
    "Named: names FE",
    "Shares: names Zoë, too",
    "Never deploy to staging on a Friday: same words: deploy, staging",
  ]);
});
