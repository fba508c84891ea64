/** The life of the plugin: what is registered, and nothing else. */

import { Plugin } from "obsidian";
import { Reading } from "./obsidian/reading";
import { addCommands, addMenus } from "./ui/commands";
import { DASHBOARD_VIEW, DashboardView } from "./ui/dashboard-view";
import { Desk } from "./ui/desk";
import { registerFreshness } from "./ui/freshness-view";
import { ICONS, registerIcons } from "./ui/icons";
import { LEARNT_VIEW, LearntView } from "./ui/learnt-view";
import { News } from "./ui/news";
import { NoteLines } from "./ui/note-line";
import { PANEL_VIEW, PanelView } from "./ui/panel-view";
import { PROFILE_VIEW, ProfileView } from "./ui/profile-view";
import { REVIEW_VIEW, ReviewView } from "./ui/review-view";
import { SettingsTab } from "./ui/settings-tab";
import { StatusBar } from "./ui/status-bar";

const MINUTE = 60_000;

export default class MnemexVaultPlugin extends Plugin {
  private desk: Desk | null = null;

  override async onload(): Promise<void> {
    this.register(registerIcons());
    const desk = new Desk(this.app, { load: () => this.loadData(), save: (data) => this.saveData(data) });
    this.desk = desk;
    await desk.load();
    this.registerView(LEARNT_VIEW, (leaf) => new LearntView(leaf, desk));
    this.registerView(PROFILE_VIEW, (leaf) => new ProfileView(leaf, desk));
    this.registerView(PANEL_VIEW, (leaf) => new PanelView(leaf, desk));
    this.registerView(REVIEW_VIEW, (leaf) => new ReviewView(leaf, desk));
    this.registerView(DASHBOARD_VIEW, (leaf) => new DashboardView(leaf, desk));
    this.registerHoverLinkSource(PANEL_VIEW, { display: "Memories", defaultMod: true });
    addCommands(this, desk, desk);
    addMenus(this, desk, desk);
    this.registerObsidianProtocolHandler("mnemex-save", (asked) => desk.captureLink(asked));
    registerFreshness(this, desk);
    this.addSettingTab(new SettingsTab(this.app, this, desk));
    this.addChild(desk.cache);
    this.addLive(desk);
  }

  override onUserEnable(): void {
    void this.desk?.openPanel();
    void this.desk?.openLearnt();
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.desk?.load();
  }

  /** Add what shows itself outside of our own views. */
  private addLive(desk: Desk): void {
    const lines = this.addChild(new NoteLines(desk));
    const ribbon = this.addRibbonIcon(ICONS.curve, "Show what was learnt", () => void desk.openLearnt());
    const status = new StatusBar(this.addStatusBarItem(), desk);
    const news = new News(ribbon, this.addStatusBarItem(), desk);
    const use = async (note: Parameters<Desk["perform"]>[0]): Promise<void> => {
      await desk.perform(note, (actions, it) => actions.use(it), true);
    };
    const around = { enabled: () => desk.preferences.readingIsUse, now: () => desk.now(), use };
    this.addChild(new Reading(this.app, desk.cache, around));
    // the cache hears of it first; a move by another program is no rename to the app
    this.registerEvent(this.app.vault.on("rename", (file, old) => void desk.dragged(file.path, old)));
    const refresh = (): void => {
      lines.refresh();
      status.refresh();
      news.refresh();
    };
    this.register(desk.cache.onChange(refresh));
    this.register(desk.lastLook.onChange(() => news.refresh()));
    // scores sink, and "fades tomorrow" becomes "fades today"
    this.registerInterval(window.setInterval(refresh, MINUTE));
    desk.onPreferences(refresh);
  }
}
