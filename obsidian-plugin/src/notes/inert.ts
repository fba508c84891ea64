/** Makes text that an assistant, the web or an import wrote safe to render: no plugin code, no embeds, no HTML. */

const FENCE = /^((?:\s|>)*)(`{3,}|~{3,})(.*)$/;

/** Return markdown that renders as text, lists, links and plain code only. */
export function inert(markdown: string): string {
  const fences = new Fences();
  return markdown
    .split("\n")
    .map((line) => fences.next(line) ?? inertLine(line))
    .join("\n");
}

/** Follows where code blocks begin and end. */
class Fences {
  private open: string | null = null;

  /** Return the line as it is to stand if it belongs to a code block, else null. */
  next(line: string): string | null {
    const match = FENCE.exec(line);
    if (this.open !== null) {
      if (match && this.closes(match)) this.open = null;
      return line;
    }
    const [, indent, mark] = match ?? [];
    if (indent === undefined || mark === undefined) return null;
    this.open = mark;
    // without a language no plugin feels called upon
    return indent + mark;
  }

  private closes(match: RegExpExecArray): boolean {
    const [, , mark, rest] = match;
    return mark?.startsWith(this.open ?? "") === true && rest?.trim() === "";
  }
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
