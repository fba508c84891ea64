// A window like Obsidian's around the built plugin: tabs, side bar, status bar, notes; enough to click through it.
import { setup } from "obsidian-test-mocks/setup";
import { api, setIcon } from "./obsidian.mjs";

const { App, MarkdownView, WorkspaceLeaf, Platform, moment } = api;

export class Shell {
  plugin = null;
  lastFile = null;

  static async open({ files, stats = {}, data = null, device = {}, manifest, code, phone = false, settled = true, old = false }) {
    setup();
    Platform.isMobile = phone;
    Platform.isPhone = phone;
    document.body.toggleClass("is-mobile", phone);
    document.body.toggleClass("is-phone", phone && innerWidth < 600);
    document.body.toggleClass("is-tablet", phone && innerWidth >= 600);
    moment.locale("en");
    const shell = new Shell(App.createConfigured__({ files }), phone);
    Object.assign(shell, { api, code, manifest, old });
    shell.setStats(stats);
    shell.resolveLinks();
    for (const [key, value] of Object.entries(device)) shell.app.localStorage.set(key, value);
    await shell.enable(code, manifest, data, settled);
    return shell;
  }

  constructor(app, phone) {
    this.app = app;
    this.phone = phone;
    this.makeWindow();
    this.patchWorkspace();
    this.patchVault();
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  // the app gives keys to the scope of the active view; a listener that returns false has used them up
  onKey(event) {
    const pane = event.target.closest?.(".workspace-leaf");
    const leaf = this.app.workspace.leaves.find(({ el }) => el === pane) ?? this.app.workspace.activeLeaf;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const used = plain && leaf?.view?.scope?.listeners?.get(event.key.toLowerCase())?.(event) === false;
    if (used) event.preventDefault();
  }

  setStats(stats) {
    for (const file of this.app.vault.getFiles()) {
      const modified = stats[file.path] ?? Date.now();
      file.stat = { mtime: modified, ctime: modified, size: 0 };
    }
  }

  // the mock looks for the target of a link in its own folder only
  resolveLinks() {
    const { metadataCache } = this.app;
    for (const [source, targets] of Object.entries(metadataCache.unresolvedLinks)) {
      for (const name of Object.keys(targets)) {
        const file = metadataCache.getFirstLinkpathDest(decodeURI(name).replace(/#.*/, ""), source);
        if (!file) continue;
        (metadataCache.resolvedLinks[source] ??= {})[file.path] = targets[name];
        delete targets[name];
      }
    }
  }

  async enable(code, manifest, data, settled) {
    const module = { exports: {} };
    const load = (name) => {
      if (name !== "obsidian") throw new Error(`the plugin asked for ${name}`);
      // before 1.10 there were no views for Bases
      return this.old ? { ...api, BasesView: undefined, requireApiVersion: () => false } : api;
    };
    new Function("module", "exports", "require", code)(module, module.exports, load);
    this.plugin = new module.exports.default(this.app, manifest);
    this.plugin.data__ = data ?? {};
    this.plugin.addRibbonIcon = (icon, title, act) => this.addRibbonIcon(icon, title, act);
    this.plugin.addStatusBarItem = () => this.statusBar.createDiv({ cls: "status-bar-item" });
    this.plugin.loaded__ = true;
    await this.plugin.onload();
    for (const child of [...this.plugin.children__]) child.load();
    if (settled) this.app.workspace.setLayoutReady__();
  }

  addRibbonIcon(icon, title, act) {
    const el = this.ribbon.createDiv({ cls: "clickable-icon side-dock-ribbon-action", attr: { "aria-label": title, role: "button", tabindex: "0" } });
    setIcon(el, icon);
    el.addEventListener("click", act);
    el.addEventListener("keydown", (event) => event.key === "Enter" && act(event));
    return el;
  }

  makeWindow() {
    const root = document.body.createDiv({ cls: "app-container" });
    this.ribbon = root.createDiv({ cls: "workspace-ribbon" });
    this.main = root.createDiv({ cls: "mod-root" });
    this.tabs = this.main.createDiv({ cls: "workspace-tab-header-container" });
    this.side = root.createDiv({ cls: "mod-right-split" });
    this.sideTabs = this.side.createDiv({ cls: "side-tabs" });
    for (const icon of ["link", "list-tree"]) setIcon(this.sideTabs.createSpan(), icon);
    this.statusBar = document.body.createDiv({ cls: "status-bar" });
  }

  patchWorkspace() {
    const { workspace } = this.app;
    workspace.leaves = [];
    workspace.getLeaf = (where) => this.leafFor(where);
    workspace.ensureSideLeaf = async (type) => this.sideLeaf(type);
    workspace.revealLeaf = async (leaf) => this.activate(leaf);
    workspace.setActiveLeaf = (leaf) => this.activate(leaf);
    workspace.getActiveFile = () => this.lastFile;
    workspace.getActiveViewOfType = (type) => {
      const view = workspace.activeLeaf?.view;
      return view instanceof type ? view : null;
    };
    workspace.getLeavesOfType = (type) => workspace.leaves.filter((leaf) => leaf.view?.getViewType() === type);
    workspace.removeLeaf__ = (leaf) => this.close(leaf);
  }

  // in the app file times follow writes and moves
  patchVault() {
    const { vault } = this.app;
    const trigger = vault.trigger.bind(vault);
    vault.trigger = (name, file, ...rest) => {
      if (name === "modify") file.stat = { ...file.stat, mtime: Date.now() };
      if (name === "create") file.stat = { mtime: Date.now(), ctime: Date.now(), size: 0 };
      trigger(name, file, ...rest);
    };
    vault.on("rename", (file, old) => {
      const cache = this.app.metadataCache.cache__;
      const known = cache.get(old);
      cache.delete(old);
      if (known) cache.set(file.path, known);
    });
  }

  leafFor(where) {
    const { workspace } = this.app;
    const roots = workspace.leaves.filter((leaf) => !leaf.side);
    const reusable = !where && roots.find((leaf) => leaf === workspace.activeLeaf || leaf.view?.getViewType() === "markdown");
    return reusable || this.newLeaf(false);
  }

  newLeaf(side) {
    const leaf = WorkspaceLeaf.create2__(this.app);
    leaf.side = side;
    leaf.el = (side ? this.side : this.main).createDiv({ cls: "workspace-leaf" });
    leaf.setViewState = async (state) => {
      leaf.viewState = state;
      await this.show(leaf, this.plugin.views__.get(state.type)(leaf), state.state);
      if (state.active) this.activate(leaf);
    };
    leaf.openFile = async (file) => {
      await this.showNote(leaf, file);
      this.activate(leaf);
    };
    leaf.detach = () => this.close(leaf);
    this.app.workspace.leaves.push(leaf);
    return leaf;
  }

  async sideLeaf(type) {
    const open = this.app.workspace.getLeavesOfType(type)[0];
    if (open) return open;
    const leaf = this.newLeaf(true);
    await leaf.setViewState({ type });
    const icon = this.sideTabs.createSpan({ cls: "is-active" });
    setIcon(icon, leaf.view.getIcon());
    this.sideTabs.prepend(icon);
    return leaf;
  }

  async show(leaf, view, state) {
    leaf.view?.unload();
    leaf.view = view;
    leaf.el.replaceChildren();
    const holder = leaf.el.createDiv({ cls: "workspace-leaf-content" });
    if (!leaf.side) this.makeHeader(holder, view.getDisplayText());
    view.contentEl.addClass("view-content");
    holder.append(view.containerEl);
    view.containerEl.addClass("view-holder");
    view.load();
    if (state) await view.setState(state, { history: false });
    await view.onOpen();
  }

  makeHeader(holder, title) {
    const header = holder.createDiv({ cls: "view-header" });
    const back = header.createSpan({ cls: "view-header-nav" });
    setIcon(back.createSpan(), "arrow-left");
    if (!this.phone) setIcon(back.createSpan(), "arrow-right");
    header.createSpan({ cls: "view-header-title", text: title });
    setIcon(header.createSpan({ cls: "view-header-actions" }), "more-horizontal");
  }

  async showNote(leaf, file) {
    const text = await this.app.vault.read(file);
    const view = MarkdownView.create2__(leaf);
    view.file = file;
    view.getDisplayText = () => file.basename;
    view.getMode = () => "source";
    const vault = this.app.vault;
    view.editor = { replaceSelection: (inserted) => vault.process(file, (old) => `${old.trimEnd()} ${inserted}\n`) };
    view.onOpen = async () => undefined;
    view.contentEl.addClass("view-content");
    const sizer = view.contentEl.createDiv({ cls: "markdown-source-view" }).createDiv({ cls: "cm-sizer" });
    sizer.createDiv({ cls: "inline-title", text: file.basename });
    this.makeProperties(sizer.createDiv({ cls: "metadata-container" }), file);
    const body = sizer.createDiv({ cls: "cm-contentContainer markdown-rendered" });
    await api.MarkdownRenderer.render(this.app, text.replace(/^---\n[\s\S]*?\n---\n/, ""), body);
    await this.show(leaf, view);
    leaf.el.querySelector(".view-header-title")?.setText(file.path.replace(/\.md$/, "").split("/").join(" / "));
    this.lastFile = file;
    this.app.workspace.trigger("file-open", file);
  }

  makeProperties(parent, file) {
    parent.createDiv({ cls: "metadata-properties-heading", text: "Properties" });
    const properties = this.app.metadataCache.getFileCache(file)?.frontmatter ?? {};
    for (const [key, value] of Object.entries(properties)) {
      const row = parent.createDiv({ cls: "metadata-property", attr: { "data-property-key": key } });
      setIcon(row.createSpan(), key === "tags" ? "list" : "file-text");
      row.createSpan({ cls: "metadata-property-key", text: key });
      const values = Array.isArray(value) ? value : [value];
      for (const item of values) row.createSpan({ cls: key === "tags" ? "pill" : "value", text: String(item).replace(/^\[\[|\]\]$/g, "") });
    }
  }

  activate(leaf) {
    const { workspace } = this.app;
    workspace.activeLeaf = leaf;
    if (!leaf.side) for (const other of workspace.leaves) if (!other.side) other.el.toggle(other === leaf);
    this.drawTabs();
    workspace.trigger("active-leaf-change", leaf);
    workspace.trigger("layout-change");
    leaf.view?.onResize();
  }

  drawTabs() {
    const { workspace } = this.app;
    this.tabs.replaceChildren();
    for (const leaf of workspace.leaves.filter(({ side, view }) => !side && view)) {
      const tab = this.tabs.createDiv({ cls: "workspace-tab-header" });
      tab.toggleClass("is-active", leaf === workspace.activeLeaf || leaf.el.isShown());
      setIcon(tab.createSpan(), leaf.view.getViewType() === "markdown" ? "file-text" : leaf.view.getIcon());
      tab.createSpan({ cls: "tab-title", text: leaf.view.getDisplayText() });
      tab.addEventListener("click", () => this.activate(leaf));
    }
  }

  close(leaf) {
    const { workspace } = this.app;
    leaf.view?.unload();
    void leaf.view?.onClose();
    leaf.el.remove();
    workspace.leaves = workspace.leaves.filter((other) => other !== leaf);
    const next = workspace.leaves.filter(({ side }) => !side).at(-1);
    workspace.activeLeaf = null;
    if (next) this.activate(next);
    else this.drawTabs();
  }

  async openPath(path) {
    const file = this.app.vault.getFileByPath(path);
    if (!file) throw new Error(`no note at ${path}`);
    await this.leafFor(false).openFile(file);
  }

  /** Run a command as the palette does; false if it does not apply. */
  command(id) {
    const command = this.plugin.commands__.get(id);
    if (!command) throw new Error(`no command ${id}`);
    if (command.callback) return command.callback() ?? true;
    if (command.checkCallback?.(true) !== true) return false;
    command.checkCallback(false);
    return true;
  }

  /** All files as they are now. */
  async files() {
    const entries = await Promise.all(
      this.app.vault.getFiles().map(async (file) => [file.path, await this.app.vault.read(file)]),
    );
    return Object.fromEntries(entries);
  }

  disable() {
    for (const leaf of [...this.app.workspace.leaves]) if (leaf.view?.getViewType().startsWith("mnemex")) this.close(leaf);
    this.plugin.unload();
  }

  listeners() {
    const count = (events) => Object.values(events._).reduce((sum, list) => sum + list.length, 0);
    const { vault, metadataCache, workspace } = this.app;
    return count(vault) + count(metadataCache) + count(workspace);
  }
}

window.Shell = Shell;
