import { expect, test } from "vitest";
import { contentOf, withLink } from "../../src/notes/tagged-line";

test.each([
  ["- Zoë likes tea #remember", "Zoë likes tea", "- Zoë likes tea [[M]]"],
  ["- [ ] #remember Zoë likes tea", "Zoë likes tea", "- [ ] [[M]] Zoë likes tea"],
  ["> 1. Tea #Remember at four", "Tea at four", "> 1. Tea [[M]] at four"],
  ["#remember Tea #remember", "Tea", "[[M]] Tea"],
  ["Tea #remember/later and #remembered", "Tea #remember/later and #remembered", "Tea #remember/later and #remembered"],
  ["#remember", "", "[[M]]"],
  ["お茶 #remember", "お茶", "お茶 [[M]]"],
])("of %j is remembered %j", (line, content, linked) => {
  expect(contentOf(line)).toBe(content);
  expect(withLink(line, "[[M]]").trim().replace(/ +/g, " ")).toBe(linked);
});
