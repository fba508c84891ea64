/** The settings: a few of the plugin's own, and those of the vault as its settings note has them. */

import { PluginSettingTab, Setting, type App, type Plugin, type SettingDefinitionItem } from "obsidian";
import { MODELS } from "../domain/decay";
import type { VaultSettings } from "../notes/settings";
import type { Preferences } from "../obsidian/preferences";
import type { Companion } from "./companion";

interface Toggle {
  readonly key: Exclude<keyof Preferences, "reviewCap">;
  readonly name: string;
  readonly desc: string;
}

const TOGGLES: readonly Toggle[] = [
  {
    key: "showLine",
    name: "Show a line under the title of memories",
    desc: "Score, fade date and what can be done, in every memory note.",
  },
  {
    key: "hideBookkeeping",
    name: "Hide bookkeeping properties",
    desc: "In memory notes the properties that only the memory needs are not shown. They stay in the note.",
  },
  { key: "showStatus", name: "Show how many are fading in the status bar", desc: "A click opens the review." },
  {
    key: "readingIsUse",
    name: "Count reading as use",
    desc: "A memory note that is open for five seconds was used, at most once a day.",
  },
];

const CAP = { name: "Memories in a day's review", desc: "What is left can wait until tomorrow." };
const CAPS = { "3": "3", "5": "5", "7": "7", "10": "10", "20": "20", "50": "50", "0": "All that are due" };

/** Return the vault's settings as people read them. */
export function describeSettings({ policy, layout, zone }: VaultSettings): readonly (readonly [string, string])[] {
  const { curve } = policy;
  const days = policy.forgetAfterDays;
  return [
    ["Fades by", `${MODELS[curve.model]}, half-life ${Number(curve.halfLifeDays.toFixed(2))} days`],
    ["Time counts", policy.clock === "days" ? "every day" : "while the vault is used"],
    ["May be forgotten", days === null ? `below ${policy.forgetThreshold}` : `after ${days} days without use`],
    ["Due for review", `from ${policy.reviewMin} to ${policy.reviewMax}`],
    ["May be promoted", `from ${policy.promoteThreshold}, or after ${policy.promoteUseCount} uses`],
    ["Folders", [layout.shortTerm, layout.longTerm, layout.archive].join(", ")],
    ["Time zone", zone.name],
  ];
}

export class SettingsTab extends PluginSettingTab {
  constructor(app: App, plugin: Plugin, private readonly companion: Companion) {
    super(app, plugin);
  }

  /** Obsidian 1.13 and later render and search these; older ones call `display`. */
  override getSettingDefinitions(): SettingDefinitionItem[] {
    const { cache } = this.companion;
    const shared = describeSettings(cache.settings).map(([name, desc]) => ({ name, desc }));
    const source = { name: "Settings note", desc: this.sourceText(), action: () => void this.companion.openSettingsNote() };
    const problems = cache.settings.problems.map((desc) => ({ name: "Problem", desc }));
    return [
      ...TOGGLES.map(({ key, name, desc }) => ({ name, desc, control: { type: "toggle" as const, key } })),
      { ...CAP, control: { type: "dropdown" as const, key: "reviewCap", options: CAPS } },
      { type: "group", heading: "Shared with the server", items: [source, ...problems, ...shared] },
    ];
  }

  override getControlValue(key: string): unknown {
    const value = this.companion.preferences[key as keyof Preferences];
    return typeof value === "number" ? String(value) : value;
  }

  override setControlValue(key: string, value: unknown): Promise<void> {
    return this.companion.savePreferences({ [key]: key === "reviewCap" ? Number(value) : value === true });
  }

  override display(): void {
    const { containerEl, companion } = this;
    containerEl.empty();
    for (const toggle of TOGGLES) this.addToggle(toggle);
    this.addCap();
    new Setting(containerEl).setName("Shared with the server").setHeading();
    this.addSource();
    for (const problem of companion.cache.settings.problems) {
      containerEl.createEl("p", { cls: "mod-warning mnemex-problem", text: problem });
    }
    for (const [name, value] of describeSettings(companion.cache.settings)) {
      new Setting(containerEl).setName(name).setDesc(value);
    }
  }

  private addToggle({ key, name, desc }: Toggle): void {
    new Setting(this.containerEl)
      .setName(name)
      .setDesc(desc)
      .addToggle((toggle) =>
        toggle
          .setValue(this.companion.preferences[key])
          .onChange((value) => void this.companion.savePreferences({ [key]: value })),
      );
  }

  private addCap(): void {
    new Setting(this.containerEl)
      .setName(CAP.name)
      .setDesc(CAP.desc)
      .addDropdown((dropdown) => {
        dropdown
          .addOptions(CAPS)
          .setValue(String(this.companion.preferences.reviewCap))
          .onChange((value) => void this.companion.savePreferences({ reviewCap: Number(value) }));
        dropdown.selectEl.setAttribute("aria-label", CAP.name);
      });
  }

  private sourceText(): string {
    const path = this.companion.cache.settingsPath;
    return path === null
      ? "There is none yet, so the defaults hold. The server makes one with mnemex init."
      : `${path}. Change a property there, and it holds at once, here and in the server.`;
  }

  private addSource(): void {
    const setting = new Setting(this.containerEl).setName("Settings note").setDesc(this.sourceText());
    if (this.companion.cache.settingsPath === null) return;
    setting.addButton((button) =>
      button.setButtonText("Open").onClick(() => void this.companion.openSettingsNote()),
    );
  }
}
