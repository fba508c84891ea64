/** Makes text that an assistant, the web or an import wrote safe to render: no plugin code, no embeds, no HTML. */

const FENCE = /^(\s*(?:>\s*)*)(`{3,}|~{3,})(.*)$/;

/** Return markdown that renders as text, lists, links and plain code only. */
export function inert(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split("\n").map((line) => {
    const match = FENCE.exec(line);
    const mark = match?.[2];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && match?.[3]?.trim() === "") fence = null;
      return line;
    }
    if (mark === undefined) return inertLine(line);
    fence = mark;
    // without a language no plugin feels called upon
    return `${match?.[1] ?? ""}${mark}`;
  });
  return lines.join("\n");
}

function inertLine(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? inertCode(part) : inertText(part)))
    .join("");
}

// inline queries of Dataview begin with = or $=
function inertCode(code: string): string {
  return code.replace(/^(`+)\s*(\$?=)/, "$1\u200b$2");
}

function inertText(text: string): string {
  return text.replace(/!(?=\[)/g, "").replace(/<(?=[a-z/!?%])/gi, "&lt;");
}
