/** Values as the YAML text that we write: one line a value, quoted where YAML or Obsidian needs it. */

import { isScalar, parseDocument } from "yaml";
import { DATE_KEYS } from "./keys";
import { UnreadableNote, type Value } from "./yaml-core";

const CONTROL = /\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const INVISIBLE = /[\ufeff\ufffe\uffff]/g;
// words, numbers and times that readers of YAML 1.1 take for something else
const OTHER_READERS = /^(?:(?:y|n|yes|no|on|off|=|<<)|[-+.]?[0-9][0-9a-fotxz_.,:+ -]*)$/i;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?$/;
const INDICATORS = new Set("-?:,[]{}#&*!|>'\"%@`");
const WORDS = /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;

/** Return the text with every line break and control character turned into a space. */
export function oneLine(text: string): string {
  return text.replace(CONTROL, " ");
}

/** Return what will be read back after the value was written. */
export function normalised(value: Value): Value {
  if (typeof value === "string") return oneLine(value);
  return Array.isArray(value) ? (value as readonly Value[]).map(normalised) : value;
}

/** Return one value on one line; a date as the value of a date key stands there without quotation marks. */
export function scalar(value: Value, how: { key?: string; flow?: boolean } = {}): string {
  if (value === null) return "null";
  if (typeof value === "string") return isBareDate(value, how.key) ? value : quoted(oneLine(value), how.flow === true);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return numberText(value);
  throw new UnreadableNote("only texts, numbers, checkboxes and lists of them can be saved");
}

/** Return the whole lines of a new key. */
export function linesOf(key: string, value: Value, newline: string): string {
  if (!Array.isArray(value)) return `${scalar(key)}: ${scalar(value, { key })}${newline}`;
  const list = value as readonly Value[];
  return list.length === 0 ? `${scalar(key)}: []${newline}` : `${scalar(key)}:${newline}${itemsOf(list, "  ", newline)}`;
}

/** Return the lines of a block list. */
export function itemsOf(values: readonly Value[], indent: string, newline: string): string {
  return values.map((value) => `${indent}- ${scalar(value)}${newline}`).join("");
}

function isBareDate(text: string, key: string | undefined): boolean {
  return key !== undefined && DATE_KEYS.has(key) && DATE.test(text);
}

// exponents have two digits, as the server writes them
function numberText(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

function quoted(text: string, flow: boolean): string {
  if (!needsQuotes(text) && !(flow && /[,[\]{}?:]/.test(text))) return text;
  if (text.includes('"') && !text.includes("'") && text.search(INVISIBLE) < 0) return `'${text}'`;
  return JSON.stringify(text).replace(INVISIBLE, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`);
}

function needsQuotes(text: string): boolean {
  if (breaksYaml(text)) return true;
  return OTHER_READERS.test(text) || WORDS.test(text) || !isPlainText(text);
}

function breaksYaml(text: string): boolean {
  if (text === "" || text !== text.trim() || INDICATORS.has(text.charAt(0)) || text.endsWith(":")) return true;
  return text.includes(": ") || text.includes(" #") || text.search(INVISIBLE) >= 0;
}

function isPlainText(text: string): boolean {
  if (!/^[-+.0-9]/.test(text)) return true;
  const { contents } = parseDocument(text, { version: "1.2", schema: "core" });
  return isScalar(contents) && typeof contents.value === "string";
}
