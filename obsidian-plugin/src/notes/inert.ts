/**
 * Makes text of a stranger safe to render, as the server does: one invisible word joiner parts each sign from what it
 * would set off. That needs no parser of Markdown, so no construct of it can hide a sign.
 */

const JOINER = "\u2060";

// without regard to case the server's language takes the Turkish letters for an i, and so a browser may, too
const anyCase = (words: string): string => words.replace(/i/gi, "[i\\u0130\\u0131]");

// what highlighting knows and no plugin runs or draws; the same names as the server's
const PLAIN_LANGUAGES =
  "asm|awk|bash|bat|c|clojure|cpp|cs|csharp|css|csv|dart|diff|dockerfile|elixir|elm|erlang|fish|fortran|fsharp|go|" +
  "graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json|json5|jsonc|jsx|julia|kotlin|latex|less|lisp|log|" +
  "lua|makefile|markdown|matlab|md|nginx|nim|nix|ocaml|pascal|perl|php|plaintext|powershell|prolog|proto|ps1|py|" +
  "python|r|regex|rs|ruby|rust|sass|scala|scheme|scss|sh|shell|sql|swift|tcl|tex|text|toml|ts|tsx|txt|typescript|vb|" +
  "vim|xml|yaml|yml|zig|zsh";
const ACTIVE_ELEMENTS =
  "a|applet|area|audio|base|body|button|canvas|dialog|embed|form|frame|frameset|head|html|iframe|image|img|input|" +
  "link|listing|map|marquee|math|meta|noembed|noframes|noscript|object|option|param|picture|plaintext|portal|script|" +
  "select|slot|source|style|svg|template|textarea|title|track|video|xmp";
const GAP = "[\\x00-\\x20\\x5c]*";
const SCHEMES = ["javascript", "vbscript", "file", "obsidian", "data"].map((word) => [...word].map(anyCase).join(GAP)).join("|");

// letters, words and white space as the server's language has them
const LETTER = "A-Za-z\\u0130\\u0131";
const WORD = "\\p{L}\\p{N}_";
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const ACTIVE = new RegExp(
  [
    `(?<own>${JOINER}+)`,
    `(?<entity>&(?=#[xX]?[0-9a-fA-F]|[${LETTER}]{2}))`,
    // Templater, HTML, comments; plain web links and bare elements without effect stay
    `<(?=[%!?/${LETTER}])(?!https?://|${anyCase("mailto")}:|[${WORD}.+\\-]+@[${WORD}.\\-]+>)` +
      `(?!/?(?!(?:${anyCase(ACTIVE_ELEMENTS)})(?![${WORD}]))[${LETTER}][${WORD}\\-]*[ ]?/?>)`,
    "!(?=\\[)",
    // what stands behind a run of these signs decides, so they are looked at as a whole
    "(?<ticks>`+|~+)",
    `(?<scheme>(?:${SCHEMES})(?=${GAP}:))`,
    `(?:\\]\\([ \\t\\n]*<?|\\]:[ \\t\\n]*<?|<)(?!(?:https?|${anyCase("mailto")}|tel):)[${LETTER}][${LETTER}0-9+.\\-]*` +
      `(?=\\\\?:(?![${SPACE}]))`,
    `\\\\(?=(?:${anyCase("style|href|require|bbox|class|cssId|data|unicode")})(?![${WORD}]))`,
  ].join("|"),
  "giu",
);
const FENCE = new RegExp(`^[ \\t]*[^${SPACE}\`~]`, "u");
const PLAIN_FENCE = new RegExp(`^[ \\t]*(?:${anyCase(PLAIN_LANGUAGES)})[ \\t]*(?:\\r?\\n|$)`, "iu");
const QUERY = new RegExp(`^[${SPACE}]*(?:\\$?=|(?:${anyCase("input|view|button")})[[\\-]|${anyCase("dice")}|dv[:${SPACE}]|jsv?:)`, "iu");
const ALPHANUMERIC = /[A-Za-z0-9\u0130\u0131]/iu;
const REFERENCE = /^&(?:#[xX]?[0-9a-fA-F]{1,12}|[A-Za-z\u0130\u0131\u017f\u212a]{2,12})/;
// the names whose characters may stand in an address or the name of a language
const SPELLING_NAMES = new Set(["colon", "fjlig", "NewLine", "period", "plus", "Tab"]);
const LONGEST_REFERENCE = 15;
// longer rows of blanks before a language would make the look at many fences quadratic
const LOOK_AHEAD = 400;

/** Return the text with everything broken that could become active in Obsidian. */
export function inert(text: string): string {
  const pattern = new RegExp(ACTIVE);
  let result = "";
  let copied = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const broken = brokenSign(match, text);
    if (broken === null) {
      // a run of ticks is passed over as a whole, anything else letter by letter
      if (match.groups?.ticks === undefined) pattern.lastIndex = match.index + 1;
      continue;
    }
    result += text.slice(copied, match.index) + broken;
    copied = pattern.lastIndex;
  }
  return result + text.slice(copied);
}

/** Return a sign with the joiner it needs, or null if it sets off nothing here. */
function brokenSign(match: RegExpExecArray, text: string): string | null {
  const [sign] = match;
  const { own } = match.groups ?? {};
  if (own !== undefined) return own + own;
  return setsOff(match.groups ?? {}, match.index, text) ? sign + JOINER : null;
}

function setsOff({ entity, ticks, scheme }: Record<string, string>, index: number, text: string): boolean {
  if (entity !== undefined) return spellsAnAddress(text.slice(index, index + LONGEST_REFERENCE));
  if (ticks !== undefined) return callsAPlugin(ticks, text.slice(index + ticks.length, index + ticks.length + LOOK_AHEAD));
  return scheme === undefined || !ALPHANUMERIC.test(text.charAt(index - 1));
}

/** Tell whether code behind these ticks might be run: a block in no plain language, or a query in a line. */
function callsAPlugin(ticks: string, rest: string): boolean {
  if (ticks.length >= 3 && FENCE.test(rest) && !PLAIN_FENCE.test(rest)) return true;
  return ticks.startsWith("`") && QUERY.test(rest);
}

/** Tell whether a character reference gives what the name of a language or an address is made of. */
function spellsAnAddress(text: string): boolean {
  const reference = REFERENCE.exec(text)?.[0].slice(1);
  if (reference === undefined) return false;
  if (!reference.startsWith("#")) return SPELLING_NAMES.has(reference);
  const [, hex, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|([0-9]+))$/.exec(reference) ?? [];
  if (hex === undefined && decimal === undefined) return false;
  return spells(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}

const SPELLING = /^[\x01-\x20+\-.:A-Za-z0-9]$/;

function spells(code: number): boolean {
  return isLeftOut(code) || (code <= 0x7f && SPELLING.test(String.fromCharCode(code)));
}

// browsers leave these out, so that what stands around them is joined
function isLeftOut(code: number): boolean {
  return code === 0x7f || (code >= 0xfdd0 && code <= 0xfdef) || (code <= 0x10ffff && (code & 0xfffe) === 0xfffe);
}
