/** YAML 1.2 core as Obsidian reads it: no tags, anchors or surprises, and the exact place of every value. */

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

export type Value = string | number | boolean | null | readonly Value[] | ValueMap;

export interface ValueMap {
  readonly [key: string]: Value;
}

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const MAX_NODES = 2_000;
// what YAML forbids; half of a surrogate pair, too
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/;
// the server's parser stumbles over an end without a beginning
const EMPTY_DOCUMENT = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*\.\.\.(?:\s|$)/;

/** The frontmatter cannot be parsed or changed safely; the note is left alone. */
export class UnreadableNote extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = "UnreadableNote";
  }
}

export type Style = "scalar" | "block scalar" | "block list" | "flow list" | "block map" | "flow map";

/** A value and where it stands: `text.slice(start, end)`; `keys` runs parallel to `children` in a map. */
export interface Node {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
  readonly style: Style;
  readonly children: readonly Node[];
  readonly keys: readonly Node[];
}

/**
 * Return the root of one YAML document, null if it is empty.
 *
 * Throws UnreadableNote for broken YAML, duplicate or composed keys, anchors, aliases, tags, merge keys, more than one
 * document, and for more than 64 KB, 20 levels or 2,000 nodes.
 */
export function parseYaml(text: string): Node | null {
  refuseText(text);
  const document = parseDocument(text, { version: "1.2", schema: "core", uniqueKeys: false, prettyErrors: false });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) throw new UnreadableNote(problem.message.split("\n")[0] ?? "broken YAML");
  refuseDirectives(document);
  return document.contents === null ? null : new Builder(text).node(document.contents, 0);
}

function refuseText(text: string): void {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    throw new UnreadableNote("the frontmatter is larger than 64 KB");
  }
  if (FORBIDDEN.test(text)) throw new UnreadableNote("the frontmatter holds a character that YAML forbids");
  if (EMPTY_DOCUMENT.test(text)) throw new UnreadableNote("a document ends before it begins");
}

function refuseDirectives(document: Document.Parsed): void {
  const { yaml, tags } = document.directives;
  if (yaml.explicit === true || Object.keys(tags).some((tag) => tag !== "!!")) {
    throw new UnreadableNote("a directive of YAML is not read");
  }
}

class Builder {
  private count = 0;

  constructor(private readonly text: string) {}

  node(parsed: unknown, depth: number): Node {
    this.count++;
    if (this.count > MAX_NODES) throw new UnreadableNote(`the frontmatter has more than ${MAX_NODES} values`);
    if (depth > MAX_DEPTH) throw new UnreadableNote(`nested deeper than ${MAX_DEPTH} levels`);
    const node = parsed as ParsedNode;
    refuseSpecial(node);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return this.list(node, depth);
    return this.scalar(node as Scalar.Parsed);
  }

  private scalar(node: Scalar.Parsed): Node {
    const block = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED";
    const [start, written] = rangeOf(node);
    const value = node.value as Value;
    const end = block ? this.afterBlankLines(written) : written;
    return { value, start, end, style: block ? "block scalar" : "scalar", children: [], keys: [] };
  }

  // blank lines behind a block scalar may be part of its text
  private afterBlankLines(position: number): number {
    const blank = /^(?:[ \t]*\r?\n)*/.exec(this.text.slice(position));
    return position + (blank?.[0].length ?? 0);
  }

  private list(node: YAMLSeq, depth: number): Node {
    const children = node.items.map((item) => this.node(item, depth + 1));
    const value = children.map((child) => child.value);
    return { ...this.span(node, children), value, style: node.flow ? "flow list" : "block list", children, keys: [] };
  }

  private map(node: YAMLMap, depth: number): Node {
    const value: Record<string, Value> = Object.create(null) as Record<string, Value>;
    const children: Node[] = [];
    const keys: Node[] = [];
    for (const pair of node.items) {
      const key = this.node(pair.key, depth + 1);
      const name = keyText(key);
      if (name in value) throw new UnreadableNote(`the key '${name}' stands there twice`);
      if (name === "<<") throw new UnreadableNote("a merge key of YAML is not read");
      const child = isNode(pair.value) ? this.node(pair.value, depth + 1) : empty(this.afterColon(key.end));
      value[name] = child.value;
      keys.push(key);
      children.push(child);
    }
    const style = node.flow ? "flow map" : "block map";
    return { ...this.span(node, children, keys[0]), value, style, children, keys };
  }

  // a block ends where its last value does; what follows may be a comment of someone else
  private span(node: YAMLMap | YAMLSeq, children: readonly Node[], first?: Node): { start: number; end: number } {
    const [start, end] = rangeOf(node);
    const last = children[children.length - 1];
    return node.flow || !last ? { start, end } : { start: first?.start ?? start, end: last.end };
  }

  private afterColon(keyEnd: number): number {
    return this.text.indexOf(":", keyEnd) + 1;
  }
}

function refuseSpecial(node: ParsedNode): void {
  if (isAlias(node)) throw new UnreadableNote("an alias of YAML is not read");
  if ("anchor" in node && node.anchor !== undefined) throw new UnreadableNote("an anchor of YAML is not read");
  if (node.tag !== undefined) throw new UnreadableNote("a tag of YAML is not read");
}

function isNode(value: unknown): boolean {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function empty(at: number): Node {
  return { value: null, start: at, end: at, style: "scalar", children: [], keys: [] };
}

function rangeOf(node: { range?: readonly number[] | null | undefined }): readonly [number, number] {
  const [start, end] = node.range ?? [];
  if (start === undefined || end === undefined) throw new UnreadableNote("the frontmatter is written in an unusual way");
  return [start, end];
}

/** Return the name that a key stands for. */
export function keyText(key: Node): string {
  if (typeof key.value === "object" && key.value !== null) throw new UnreadableNote("a key is a list or a map");
  return key.value === null ? "" : String(key.value);
}
