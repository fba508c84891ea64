/** File names that a person would have chosen: legal on every system, and as the target of a wikilink. */

import { isConflictCopy } from "./copies";

const MAX_CHARACTERS = 60;
// three bytes a character: leaves room for what sync tools append, and stays below the 255 bytes of a name
const MAX_BYTES = 180;
const MAX_READ = 1_000;
const UNTITLED = "Untitled";

const REMOVED = /[<>*?#^[\]\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
// the endings by which Obsidian and its plugins would take the note for another kind of file
const ENDINGS = /(?:\.(?:md|excalidraw|canvas|base))+$/i;
// without these no name says that a sync tool made a copy
const COPY_SIGNS = /[()]|\.(?=sync-conflict)/gi;
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$/i;

/** Return the first line of a text that says something, without its markdown. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/).map(plainText).find((candidate) => candidate !== "") ?? "";
}

/** Return the first sentence or line of a text as a title. */
export function titleFrom(text: string): string {
  const line = firstLine(text);
  const sentence = /^.{8,}?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  return sentence.replace(/[.。]+$/u, "").trim();
}

/** Return the title as a file name without `.md`, at most 60 characters, never empty. */
export function fileStem(title: string): string {
  const stem = fitted(legal(title), MAX_CHARACTERS);
  return stem === "" ? UNTITLED : stem;
}

/** Return the first of `title`, `title 2`, `title 3` ... that is free; `isTaken` is asked with a `nameKey`. */
export function uniqueStem(title: string, isTaken: (key: string) => boolean): string {
  const stem = fileStem(title);
  let candidate = stem;
  for (let number = 2; isTaken(nameKey(candidate)); number++) candidate = numbered(stem, number);
  return candidate;
}

/** Tell whether a file was given this name, numbered or not, because of the title. */
export function isNameFor(stem: string, title: string): boolean {
  const made = fileStem(title);
  const name = stem.normalize("NFC");
  const number = / ([1-9][0-9]{0,8})$/.exec(stem)?.[1];
  return name === made || (number !== undefined && name === numbered(made, Number(number)));
}

/** Return what two names share if file systems or Obsidian may take them for one: normal form, case folded. */
export function nameKey(name: string): string {
  return name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

/** Return the alias from which the file name was made, else the file name. */
export function titleOf(stem: string, aliases: readonly string[]): string {
  return aliases.find((alias) => isNameFor(stem, alias)) ?? stem.normalize("NFC");
}

// a numbered file name may be cut further to make room for its number
function numbered(stem: string, number: number): string {
  const suffix = ` ${number}`;
  return fitted(stem, MAX_CHARACTERS - suffix.length) + suffix;
}

function legal(title: string): string {
  let text = words([...title].slice(0, MAX_READ).join("").normalize("NFC"));
  text = text.replaceAll('"', "'").replace(/:+ /g, " - ").replace(/[/\\|:]/g, "-");
  text = text.replace(REMOVED, "").replace(/\p{Cf}/gu, keptJoiner).replace(/%+/g, "%");
  text = trimmed(words(text).normalize("NFC"));
  return DEVICE.test(text) ? `Note ${text}` : text;
}

// invisible characters go, except those that join emoji, flags and letters of some scripts
function keptJoiner(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return code === 0x200c || code === 0x200d || (code >= 0xe0020 && code <= 0xe007f) ? letter : "";
}

function words(text: string): string {
  return text.split(/[\s\u0085\u001c-\u001f]+/).filter((word) => word !== "").join(" ");
}

/** Strip what a name may not begin or end with, until nothing changes. */
function trimmed(text: string): string {
  let longer: string;
  let shorter = text;
  do {
    longer = shorter;
    shorter = longer.replace(/[. ]+$/, "").replace(/^[. ]+/, "").replace(/-+$/, "").trimEnd().replace(ENDINGS, "");
    if (isConflictCopy(`${shorter}.md`)) shorter = shorter.replace(COPY_SIGNS, "");
  } while (shorter !== longer);
  return shorter;
}

/** Cut at the end of a word if one lies in the last third, else between two visible characters. */
function fitted(text: string, limit: number): string {
  if (fits(text, limit)) return text;
  let cut = "";
  for (const letter of graphemes(text)) {
    if (!fits(cut + letter, limit)) break;
    cut += letter;
  }
  // one character with more accents than a name can hold has no boundary to cut at
  if (cut === "") cut = [...text].slice(0, Math.floor(limit / 3)).join("");
  const space = [...cut].lastIndexOf(" ");
  const wordEnds = /^\s/.test(text.slice(cut.length));
  if (space > ([...cut].length * 2) / 3 && !wordEnds) cut = [...cut].slice(0, space).join("");
  return trimmed(cut);
}

function fits(text: string, limit: number): boolean {
  return [...text].length <= limit && new TextEncoder().encode(text).length <= MAX_BYTES;
}

function graphemes(text: string): string[] {
  if (typeof Intl.Segmenter !== "function") return [...text];
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map((part) => part.segment);
}

function plainText(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/, "")
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~=]{1,3}([^*_`~=]+)[*_`~=]{1,3}/g, "$1")
    .trim();
}
