/** How much was reviewed today on this device, so that a review has an end. */

import type { DeviceStore } from "./device-store";

const KEY = "review";

export class ReviewDay {
  constructor(private readonly store: DeviceStore, private readonly today: () => string) {}

  get done(): number {
    const stored = this.store.load(KEY);
    const { day, done } = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
    return day === this.today() && typeof done === "number" && done > 0 ? done : 0;
  }

  add(count: number): void {
    this.store.save(KEY, { day: this.today(), done: Math.max(0, this.done + count) });
  }
}
