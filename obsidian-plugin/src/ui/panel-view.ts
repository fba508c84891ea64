/** The memory panel in the side bar. */

import {
  ItemView,
  Keymap,
  Menu,
  Platform,
  type HoverParent,
  type HoverPopover,
  type ViewStateResult,
  type WorkspaceLeaf,
} from "obsidian";
import { TIERS, type Tier } from "../domain/memory";
import { Bodies } from "../obsidian/bodies";
import { linkTo } from "../obsidian/insert-link";
import { relatedMemories, type Related } from "../obsidian/related";
import { subjectOf } from "../obsidian/subject";
import type { Companion } from "./companion";
import { CurveCard } from "./curve-card";
import { showEmptyTier, showNoMatch, showNothingYet, type EmptyEvents } from "./empty";
import { ICONS } from "./icons";
import { explain, memoryMenu } from "./memory-menu";
import { PanelHeader } from "./panel-header";
import { lineHeights, PanelList } from "./panel-list";
import { panelModel, type PanelModel, type PanelQuery, type SortOrder } from "./panel-model";
import type { Standing } from "./standing";
import { TagPicker } from "./tag-picker";
import { Trouble } from "./trouble";

export const PANEL_VIEW = "mnemex-memories";

const MINUTE = 60_000;
const TYPING_MILLISECONDS = 120;
const SORT_ORDERS: readonly (readonly [SortOrder, string])[] = [
  ["days", "Days left"],
  ["score", "Score"],
  ["used", "Last used"],
  ["created", "Date saved"],
  ["title", "Title"],
];

export class PanelView extends ItemView implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  private query: PanelQuery = { tier: "short-term", search: "", tag: null, sort: "days", collapsed: new Set() };
  private readonly bodies: Bodies;
  private model: PanelModel | null = null;
  private header: PanelHeader | null = null;
  private list: PanelList | null = null;
  private card: CurveCard | null = null;
  private trouble: Trouble | null = null;
  private empty: HTMLElement | null = null;
  private selected: string | null = null;
  // what the empty state was made for: made anew only when that changes, so that no click is lost
  private emptyShown = "";
  private typing: number | null = null;

  constructor(leaf: WorkspaceLeaf, private readonly companion: Companion) {
    super(leaf);
    this.navigation = false;
    this.bodies = new Bodies(companion.app);
  }

  getViewType(): string {
    return PANEL_VIEW;
  }

  getDisplayText(): string {
    return "Memories";
  }

  override getIcon(): string {
    return ICONS.curve;
  }

  override getState(): Record<string, unknown> {
    const { tier, sort, collapsed } = this.query;
    return { tier, sort, collapsed: [...collapsed] };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const given = (typeof state === "object" && state !== null ? state : {}) as Record<string, unknown>;
    const tier = TIERS.find((known) => known === given.tier) ?? this.query.tier;
    const sort = SORT_ORDERS.find(([order]) => order === given.sort)?.[0] ?? this.query.sort;
    const collapsed = Array.isArray(given.collapsed) ? new Set(given.collapsed.map(String)) : this.query.collapsed;
    this.change({ tier, sort, collapsed });
    await super.setState(state, result);
  }

  override async onOpen(): Promise<void> {
    const root = this.contentEl;
    root.empty();
    root.addClass("mnemex-panel");
    this.header = this.makeHeader(root);
    this.trouble = new Trouble(root, this.companion);
    this.list = this.makeList(root);
    this.empty = root.createDiv({ cls: "mnemex-empty" });
    this.card = new CurveCard(root, this.companion);
    const { cache, app } = this.companion;
    this.register(
      cache.onChange(() => {
        this.refresh();
        void this.trouble?.refresh();
      }),
    );
    this.registerEvent(app.workspace.on("file-open", (file) => this.noteOpened(file?.path ?? null)));
    this.registerInterval(this.containerEl.win.setInterval(() => this.tick(), MINUTE));
    this.selected = app.workspace.getActiveFile()?.path ?? null;
    this.refresh();
    void this.trouble.refresh();
  }

  override async onClose(): Promise<void> {
    if (this.typing !== null) this.containerEl.win.clearTimeout(this.typing);
    this.list?.destroy();
    this.contentEl.empty();
  }

  override onResize(): void {
    this.list?.resize();
    this.card?.resize();
  }

  /** Put the focus into the search box. */
  focusSearch(): void {
    this.header?.focus();
  }

  /** Show a memory's curve below the list. */
  select(path: string | null): void {
    this.selected = path;
    this.list?.select(path);
    this.card?.show(path === null ? null : this.companion.cache.at(path));
  }

  private makeHeader(root: HTMLElement): PanelHeader {
    return new PanelHeader(root, {
      review: () => void this.companion.openReview(),
      dashboard: () => void this.companion.openDashboard(),
      sort: (event) => this.sortMenu(event),
      collapse: () => this.toggleAll(),
      more: (event) => this.moreMenu(event),
      search: (search) => this.searched(search),
      tier: (tier) => this.change({ tier }),
      clearTag: () => this.change({ tag: null }),
      intoList: () => this.list?.focus(),
    });
  }

  private makeList(root: HTMLElement): PanelList {
    const { companion } = this;
    return new PanelList(root, {
      heights: lineHeights(root, Platform.isMobile),
      words: () => companion.words(),
      when: (item) => this.model?.when(item) ?? "",
      events: {
        toggle: (group) => this.toggle(group),
        open: (item, event) => void companion.openNote(item.note.path, Keymap.isModEvent(event) || false),
        select: (item) => this.select(item.note.path),
        hover: (item, event) => this.preview(item, event),
        menu: (item, event) => this.showMenu(item, event),
        use: (item) => void companion.perform(item.note, (actions, note) => actions.use(note), true),
        pin: (item) =>
          void companion.perform(item.note, (actions, note) => actions.pin(note, !note.memory.usage.pinned), true),
        restore: (item) => void companion.perform(item.note, (actions, note) => actions.restore(note)),
        insert: (item) => companion.insertLink(item.note),
        link: (item) => {
          const file = this.app.vault.getFileByPath(item.note.path);
          return file ? linkTo(this.app, file) : "";
        },
        tag: (tag) => this.change({ tag }),
        leaveUp: () => this.header?.focus(),
      },
    });
  }

  private change(change: Partial<PanelQuery>): void {
    this.query = { ...this.query, ...change };
    this.app.workspace.requestSaveLayout();
    this.refresh();
  }

  private refresh(): void {
    const { list, header, companion } = this;
    if (!list || !header || !companion.cache.ready) return;
    const { cache } = companion;
    const source = {
      notes: cache.all(),
      related: this.related(),
      settings: cache.settings,
      words: companion.words(),
      changes: companion.journal.all(),
      bodyOf: this.bodies.of,
    };
    this.model = panelModel(source, this.query, companion.now());
    header.show(this.query.tier, this.query.search === "" ? this.model.counts : this.model.matches, source.words.locale);
    header.showTag(this.query.tag);
    header.showCollapsed(this.allCollapsed());
    this.showEmpty(this.model);
    list.show(this.model.lines);
    this.select(this.selected);
  }

  // a minute changes scores a little; only what is seen is drawn again
  private tick(): void {
    if (this.contentEl.isShown()) this.refresh();
  }

  private related(): readonly Related[] {
    const { cache, app } = this.companion;
    const file = app.workspace.getActiveFile();
    return file?.extension === "md" ? relatedMemories(subjectOf(app, file), cache.all()) : [];
  }

  private noteOpened(path: string | null): void {
    const note = path === null ? null : this.companion.cache.at(path);
    if (note) this.selected = note.path;
    this.refresh();
    this.list?.revealNote(note?.path ?? null);
  }

  // a key is answered at once; the list follows when no other key comes
  private searched(search: string): void {
    const { win } = this.containerEl;
    if (this.typing !== null) win.clearTimeout(this.typing);
    this.typing = win.setTimeout(() => this.search(search), search === "" ? 0 : TYPING_MILLISECONDS);
  }

  private search(search: string): void {
    this.typing = null;
    if (search === this.query.search) return;
    this.change({ search });
    if (search === "") return;
    void this.bodies.read(this.companion.cache.all(), () => this.refresh());
  }

  private showEmpty({ lines, counts, matches }: PanelModel): void {
    const { empty, query } = this;
    if (!empty) return;
    empty.toggle(lines.length === 0);
    this.list?.el.toggle(lines.length > 0);
    const shown = JSON.stringify([lines.length === 0, query.tier, query.search, query.tag, counts, matches]);
    if (shown === this.emptyShown) return;
    this.emptyShown = shown;
    empty.empty();
    if (lines.length > 0) return;
    const what = query.search === "" ? tagText(query.tag) : query.search;
    const events = this.emptyEvents();
    if (counts["short-term"] + counts["long-term"] + counts.archived === 0) showNothingYet(empty, events);
    else if (what === "") showEmptyTier(empty, query.tier);
    else showNoMatch(empty, query.tier, what, matches, events);
  }

  private emptyEvents(): EmptyEvents {
    return {
      connect: () => this.companion.openSetup(),
      write: () => this.companion.writeMemory(),
      show: (tier: Tier) => this.change({ tier }),
      clear: () => {
        this.change({ tag: null });
        this.header?.setSearch("");
      },
    };
  }

  private groupKeys(): string[] {
    return (this.model?.lines ?? []).filter((line) => line.kind === "group").map((line) => line.key);
  }

  private allCollapsed(): boolean {
    const keys = this.groupKeys();
    return keys.length > 0 && keys.every((key) => this.query.collapsed.has(key));
  }

  private toggle(group: string): void {
    const collapsed = new Set(this.query.collapsed);
    if (!collapsed.delete(group)) collapsed.add(group);
    this.change({ collapsed });
  }

  private toggleAll(): void {
    this.change({ collapsed: this.allCollapsed() ? new Set() : new Set(this.groupKeys()) });
  }

  private preview(item: Standing, event: MouseEvent): void {
    this.app.workspace.trigger("hover-link", {
      event,
      source: PANEL_VIEW,
      hoverParent: this,
      targetEl: event.currentTarget,
      linktext: item.note.path,
      sourcePath: "",
    });
  }

  private showMenu(item: Standing, event: MouseEvent): void {
    this.select(item.note.path);
    memoryMenu(item.note, this.companion).showAtMouseEvent(event);
  }

  private sortMenu(event: MouseEvent): void {
    const menu = new Menu();
    for (const [sort, title] of SORT_ORDERS) {
      menu.addItem((item) =>
        item
          .setTitle(title)
          .setChecked(this.query.sort === sort)
          .onClick(() => this.change({ sort })),
      );
    }
    menu.showAtMouseEvent(event);
  }

  private moreMenu(event: MouseEvent): void {
    const menu = new Menu();
    const add = (title: string, icon: string, act: () => void): void => {
      menu.addItem((item) => item.setTitle(title).setIcon(icon).onClick(act));
    };
    const { companion, selected } = this;
    add("New memory", ICONS.add, () => companion.writeMemory());
    add("Filter by tag...", ICONS.tag, () => {
      new TagPicker(this.app, companion.cache.all(), (tag) => this.change({ tag })).open();
    });
    const note = selected === null ? null : companion.cache.at(selected);
    if (note) add("Explain score", ICONS.curve, () => explain(note, companion));
    menu.addSeparator();
    add("Open settings note", ICONS.settings, () => void companion.openSettingsNote());
    menu.showAtMouseEvent(event);
  }
}

function tagText(tag: string | null): string {
  return tag === null ? "" : `#${tag}`;
}
