/** The review note of the server: which memories it found that may not both hold. */

import type { App } from "obsidian";
import type { MemoryCache, MemoryNote } from "./memory-cache";

const SETTLING = /%%mnemex:supersede:(\w+)\+(\w+)%%/g;

/** Return the pairs of ids, the newer first, of which a review note asks which holds: it offers either. */
export function unsettledPairs(text: string): (readonly [string, string])[] {
  const offered = [...text.matchAll(SETTLING)].map(([, holds = "", other = ""]) => [holds, other] as const);
  const keys = offered.map(([holds, other]) => `${holds}+${other}`);
  return offered.filter(([holds, other], index) => keys.indexOf(`${other}+${holds}`) > index);
}

/** Return the memories of which the review note asks which holds. */
export async function listedPairs({ vault, metadataCache }: App, cache: MemoryCache): Promise<(readonly [MemoryNote, MemoryNote])[]> {
  const file = vault.getMarkdownFiles().find((one) => metadataCache.getFileCache(one)?.frontmatter?.mnemex === "review");
  const pairs = file ? unsettledPairs(await vault.cachedRead(file)) : [];
  return pairs.flatMap((ids) => {
    const [newer, older] = ids.map((id) => cache.withId(id));
    return newer && older ? [[newer, older] as const] : [];
  });
}
