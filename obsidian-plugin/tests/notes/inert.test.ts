import { expect, test } from "vitest";
import { inert } from "../../src/notes/inert";

test.each([
  ["![[Secret]] and ![x](https://example.org/a.png)", "[[Secret]] and [x](https://example.org/a.png)"],
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"],
  ["a < b and 1<2", "a < b and 1<2"],
  ["`$= dv.current()` and `= this.x`", "`\u200b$= dv.current()` and `\u200b= this.x`"],
  ["`<b>` is code", "`<b>` is code"],
  ["```dataviewjs\n<b>\n```\n<b>", "```\n<b>\n```\n&lt;b>"],
  ["> ~~~query\n> x\n> ~~~\n![[a]]", "> ~~~\n> x\n> ~~~\n[[a]]"],
  ["````tasks\n```\n````\ntext", "````\n```\n````\ntext"],
])("%j becomes %j", (text, safe) => {
  expect(inert(text)).toBe(safe);
});

test("plain text stays as it is", () => {
  const text = "# Head\n\n- **bold** [[Note|alias]]\n- 5 > 3\n\n1. x\n";
  expect(inert(text)).toBe(text);
});
