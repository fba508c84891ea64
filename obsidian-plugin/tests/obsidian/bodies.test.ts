import { expect, test } from "vitest";
import { Bodies } from "../../src/obsidian/bodies";
import { noteText } from "../notes_of";
import { openVault } from "./vault";

const [theirs, own] = ["Memories/Short-term/Theirs.md", "Memories/Short-term/Own.md"];
const WRITTEN = "Run java\u2060script: and <\u2060% tp.date %> with `\u2060$= dv`.";

test("text of a stranger is found by what was given, that of a person by what stands there", async () => {
  const vault = openVault({
    [theirs]: noteText({ origin: "web" }, WRITTEN),
    [own]: noteText({}, WRITTEN),
  });
  const bodies = new Bodies(vault.app);
  await bodies.read([vault.note(theirs), vault.note(own)], () => undefined);
  expect(bodies.of(theirs).trim()).toBe("run javascript: and <% tp.date %> with `$= dv`.");
  expect(bodies.of(own).trim()).toBe(WRITTEN.toLowerCase());
});
