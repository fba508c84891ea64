/** Title -> legal file name, the same on every operating system. */

const LONGEST = 60;
const DEVICE = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\..*)?$/i;

/** Return the first sentence or line of a text as a title. */
export function titleFrom(text: string): string {
  const line = text.split(/\r?\n/).map(plainText).find((candidate) => candidate !== "") ?? "";
  const sentence = /^.{8,}?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  return sentence.replace(/[.。]+$/u, "").trim();
}

/** Return a file name without extension that is legal everywhere, at most 60 characters, cut at a word. */
export function fileName(title: string): string {
  const clean = title
    .normalize("NFC")
    .replace(/%%/g, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ")
    .replace(/[\\/:*?"<>|#^[\]]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ([,;.!])/g, "$1")
    .trim()
    .replace(/^\.+/, "");
  const name = shorten(clean).replace(/[. ]+$/, "").trim();
  if (name === "") return "Memory";
  return DEVICE.test(name) ? `${name} note` : name;
}

/** Return `name`, or `name 2`, `name 3`...: the first that `isTaken` does not know. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  let candidate = name;
  for (let number = 2; isTaken(candidate); number++) candidate = `${name} ${number}`;
  return candidate;
}

function plainText(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/, "")
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~=]{1,3}([^*_`~=]+)[*_`~=]{1,3}/g, "$1")
    .trim();
}

function shorten(text: string): string {
  const letters = graphemes(text);
  if (letters.length <= LONGEST) return text;
  const cut = letters.slice(0, LONGEST).join("");
  const word = cut.lastIndexOf(" ");
  return word > LONGEST / 2 ? cut.slice(0, word) : cut;
}

function graphemes(text: string): string[] {
  if (typeof Intl.Segmenter !== "function") return [...text];
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map((part) => part.segment);
}
