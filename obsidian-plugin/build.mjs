// Builds main.js, and copies what a release consists of to where the Python package ships it.
import { access, copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { replaced } from "./yaml-parts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const shipped = fileURLToPath(new URL("../mnemex_vault/vaultkit/plugin/", import.meta.url));

const MOST_BYTES = 260_000;
const licence = await readFile(`${here}node_modules/yaml/LICENSE`, "utf8");

const partsOfYaml = {
  name: "parts-of-yaml",
  setup({ onLoad }) {
    onLoad({ filter: /yaml[\\/]browser/ }, ({ path }) => {
      const contents = replaced(path);
      return contents === null ? null : { contents, loader: "js" };
    });
  },
};

await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  outfile: "main.js",
  bundle: true,
  plugins: [partsOfYaml],
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

const { size } = await stat(`${here}main.js`);
if (size > MOST_BYTES) throw new Error(`main.js has ${size} bytes, ${MOST_BYTES} is the most: phones load it at each start`);

// in the repository that is split off there is no package beside it
const packaged = await access(new URL("../mnemex_vault/", import.meta.url)).then(() => true, () => false);
if (packaged) await mkdir(shipped, { recursive: true });
if (packaged) for (const asset of ["main.js", "manifest.json", "styles.css"]) await copyFile(here + asset, shipped + asset);
