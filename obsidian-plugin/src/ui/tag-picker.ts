/** Chooses one of the tags that memories carry. */

import { FuzzySuggestModal, type App } from "obsidian";
import type { MemoryNote } from "../obsidian/memory-cache";
import { tagCounts } from "./panel-model";

interface TagCount {
  readonly tag: string;
  readonly count: number;
}

export class TagPicker extends FuzzySuggestModal<TagCount> {
  constructor(
    app: App,
    private readonly notes: readonly MemoryNote[],
    private readonly choose: (tag: string) => void,
  ) {
    super(app);
    this.setPlaceholder("Filter by tag");
  }

  getItems(): TagCount[] {
    return tagCounts(this.notes);
  }

  getItemText({ tag, count }: TagCount): string {
    return `#${tag} (${count})`;
  }

  onChooseItem({ tag }: TagCount): void {
    this.choose(tag);
  }
}
