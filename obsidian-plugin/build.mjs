// Builds main.js, and copies what a release consists of to where the Python package ships it.
import { access, copyFile, mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const shipped = fileURLToPath(new URL("../mnemex_vault/vaultkit/plugin/", import.meta.url));

const licence = await readFile(`${here}node_modules/yaml/LICENSE`, "utf8");

// notes are YAML 1.2 and their reader refuses tags and directives, so the types of YAML 1.1 are never asked for
const YAML_11 = {
  binary: "export const binary = undefined;",
  omap: "export const omap = undefined;",
  pairs: "export const pairs = undefined;",
  schema: 'export { schema } from "../core/schema.js";',
  set: "export const set = undefined;",
  timestamp: "export const timestamp = undefined, intTime = undefined, floatTime = undefined;",
};
const withoutYaml11 = {
  name: "without-yaml-1.1",
  setup({ onLoad }) {
    const filter = new RegExp(`yaml[\\\\/]browser[\\\\/]dist[\\\\/]schema[\\\\/]yaml-1\\.1[\\\\/](?:${Object.keys(YAML_11).join("|")})\\.js$`);
    onLoad({ filter }, ({ path }) => ({ contents: YAML_11[/([a-z]+)\.js$/.exec(path)[1]], loader: "js" }));
  },
};

await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  outfile: "main.js",
  bundle: true,
  plugins: [withoutYaml11],
  external: ["obsidian"],
  format: "cjs",
  target: "es2020",
  platform: "browser",
  minify: true,
  legalComments: "eof",
  banner: { js: `/*\nMnemex Vault, MIT licence. Contains yaml (https://eemeli.org/yaml):\n\n${licence.trim()}\n*/` },
  charset: "utf8",
  logLevel: "warning",
});

// in the repository that is split off there is no package beside it
const packaged = await access(new URL("../mnemex_vault/", import.meta.url)).then(() => true, () => false);
if (packaged) await mkdir(shipped, { recursive: true });
if (packaged) for (const asset of ["main.js", "manifest.json", "styles.css"]) await copyFile(here + asset, shipped + asset);
