/** What this device has shown already: so much that late arrivals of a sync count as new, too. */

import type { Instant } from "../domain/memory";
import type { DeviceStore } from "./device-store";

const KEY = "last-look";
// what happened so long before a look and comes only now is no news any more
const LATE = 14 * 86_400_000;

/** Something that can be new: it happened at a moment and has a name of its own. */
export interface Seeable {
  readonly id: string;
  readonly at: Instant;
}

interface Look {
  readonly at: Instant;
  readonly since: Instant;
  readonly seen: ReadonlySet<string>;
}

export class LastLook {
  private look: Look;
  private readonly listeners = new Set<() => void>();

  /** A device that never looked has seen all that was there before. */
  constructor(private readonly store: DeviceStore, now: Instant) {
    const stored = lookIn(store.load(KEY));
    this.look = stored ?? { at: now, since: now, seen: new Set() };
    if (!stored) this.keep();
  }

  /** When this device looked last. */
  get at(): Instant {
    return this.look.at;
  }

  /** What happened earlier is never new. */
  get since(): Instant {
    return this.look.since;
  }

  isNew({ id, at }: Seeable): boolean {
    return at > this.look.since && !this.look.seen.has(id);
  }

  /** Remember that all of these were shown. */
  lookAt(shown: readonly Seeable[], now: Instant): void {
    const since = Math.max(this.look.since, now - LATE);
    const recent = shown.filter(({ at }) => at > since).map(({ id }) => id);
    this.look = { at: now, since, seen: new Set(recent) };
    this.keep();
    for (const listener of [...this.listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private keep(): void {
    const { at, since, seen } = this.look;
    this.store.save(KEY, { at, since, seen: [...seen] });
  }
}

function lookIn(stored: unknown): Look | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { at, since, seen } = stored as Partial<Record<keyof Look, unknown>>;
  if (typeof at !== "number" || typeof since !== "number" || !Array.isArray(seen)) return null;
  return { at, since, seen: new Set(seen.filter((id): id is string => typeof id === "string")) };
}
