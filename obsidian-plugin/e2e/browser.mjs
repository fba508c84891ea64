// Chromium with the built plugin in the stand-in window.
import { mkdtemp, readFile, rm, writeFile, access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
const CANDIDATES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--font-render-hinting=none", "--force-color-profile=srgb",
  // without a mouse Chromium says that nothing can hover
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

async function executable() {
  for (const path of CANDIDATES.filter(Boolean)) {
    if (await access(path).then(() => true, () => false)) return path;
  }
  throw new Error("no Chromium found: install it, or name it in the variable CHROMIUM");
}

/** Bundle the stand-in for the browser. */
export async function bundleShell() {
  const source = await readFile(join(root, "src/ui/icons.ts"), "utf8");
  const names = [...source.matchAll(/^\s+\w+: "([a-z0-9-]+)",$/gm)].map(([, name]) => name);
  const icons = {};
  for (const name of [...names, "list-tree", "list", "more-horizontal"]) {
    const file = name === "more-horizontal" ? "ellipsis" : name;
    if (name.startsWith("mnemex")) continue;
    icons[name] = await readFile(join(root, `node_modules/lucide-static/icons/${file}.svg`), "utf8");
  }
  await writeFile(join(here, "shell/icons.generated.mjs"), `export const ICONS = ${JSON.stringify(icons)};\n`);
  const result = await build({
    absWorkingDir: root,
    entryPoints: ["e2e/shell/shell.mjs"],
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return result.outputFiles[0].text;
}

/** Start Chromium, call `work` with a way to open pages, and end it. */
export async function withBrowser(work) {
  const profile = await mkdtemp(join(tmpdir(), "mnemex-e2e-"));
  const browser = await puppeteer.launch({ executablePath: await executable(), headless: true, args: FLAGS, userDataDir: profile });
  try {
    const shell = await bundleShell();
    const code = await readFile(join(root, "main.js"), "utf8");
    const css = (await readFile(join(here, "shell/app.css"), "utf8")) + (await readFile(join(root, "styles.css"), "utf8"));
    const manifest = JSON.parse(await readFile(join(root, "manifest.json"), "utf8"));
    await work((options) => openPage(browser, { shell, code, css, manifest, ...options }));
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function openPage(browser, { shell, code, css, manifest, vault, now, theme = "light", size = [1360, 838], phone = false, data = null, old = false, body = "" }) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(`${error.stack ?? error}`));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    if (!/^(data|about|blob):/.test(request.url())) problems.push(`asked the network for ${request.url()}`);
  });
  await page.setViewport({ width: size[0], height: size[1], deviceScaleFactor: 1.5, hasTouch: phone, isMobile: phone });
  if (now !== undefined) await page.evaluateOnNewDocument(fixClock, now);
  await page.goto("about:blank");
  await page.setContent(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style>${css}</style></head><body class="theme-${theme} ${body}"></body></html>`);
  if (now !== undefined) await page.evaluate(fixClock, now);
  await page.evaluate(shell);
  await page.evaluate(
    async (options) => {
      window.shell = await window.Shell.open(options);
    },
    { ...vault, data, manifest, code, phone, old },
  );
  return { page, problems, close: () => context.close() };
}

// a hundred times slower than the real one, so that what is written is the same every time; `clockAhead` sets it on
function fixClock(now) {
  if (window.clockIsFixed) return;
  window.clockIsFixed = true;
  const Real = Date;
  const started = Real.now();
  window.clockAhead = 0;
  const current = () => now + window.clockAhead + Math.floor((Real.now() - started) / 100);
  window.Date = class extends Real {
    constructor(...args) {
      if (args.length === 0) super(current());
      else super(...args);
    }
    static now() {
      return current();
    }
  };
}
