/** What waits for a person's yes: text of strangers is found, but never stands in for what the person said. */

import type { Instant, Memory, Tier } from "./memory";

const WAITING = { none: [], web: ["web"], ai: ["web", "ai", "import"] } as const;

export type Approve = keyof typeof WAITING;

/** Tell whether a memory waits: it came from where `approve` asks for a yes, and nobody has said it. */
export function waits(origin: string | null, approved: Instant | null, approve: Approve): boolean {
  return approved === null && WAITING[approve].some((one) => one === origin);
}

/** Tell whether a memory is kept from standing in for the person; one that is pinned or long-term had its yes. */
export function isWaiting({ memory, tier }: { readonly memory: Memory; readonly tier: Tier }, approve: Approve): boolean {
  return tier === "short-term" && !memory.usage.pinned && waits(memory.origin, memory.approved, approve);
}
