// Builds main.js, and copies what a release consists of to where the Python package ships it.
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const shipped = fileURLToPath(new URL("../mnemex_vault/vaultkit/plugin/", import.meta.url));

const licence = await readFile(`${here}node_modules/yaml/LICENSE`, "utf8");

await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  outfile: "main.js",
  bundle: true,
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

await mkdir(shipped, { recursive: true });
for (const asset of ["main.js", "manifest.json", "styles.css"]) await copyFile(here + asset, shipped + asset);
