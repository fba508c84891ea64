/** A review as a value: what is looked at, what was decided, and the way back. */

import type { Change } from "../obsidian/journal";

/** `gone` is what somebody else deleted, moved or put away meanwhile. */
export type Choice = "keep" | "promote" | "let go" | "skip" | "gone";

export interface Decision {
  readonly choice: Choice;
  /** What was changed; null for a skip. */
  readonly change: Change | null;
}

export class ReviewQueue {
  private readonly decisions: Decision[] = [];

  /** `ids` are the memories to look at, in order. */
  constructor(readonly ids: readonly string[]) {}

  get size(): number {
    return this.ids.length;
  }

  /** How many were decided; the current one is the next. */
  get done(): number {
    return this.decisions.length;
  }

  get current(): string | null {
    return this.ids[this.decisions.length] ?? null;
  }

  get last(): Decision | null {
    return this.decisions[this.decisions.length - 1] ?? null;
  }

  /** The decision that can be taken back. */
  get lastMade(): Decision | null {
    return [...this.decisions].reverse().find(({ choice }) => choice !== "gone") ?? null;
  }

  decide(choice: Choice, change: Change | null): void {
    if (this.current !== null) this.decisions.push({ choice, change });
  }

  /** Go back to the one decided last, past what is gone. */
  back(): void {
    while (this.last?.choice === "gone") this.decisions.pop();
    this.decisions.pop();
  }

  /** How often each choice was made. */
  count(choice: Choice): number {
    return this.decisions.filter((decision) => decision.choice === choice).length;
  }
}
