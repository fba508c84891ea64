// Takes the pictures: node e2e/look.mjs [folder]
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { pictures } from "./pictures.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("out/", import.meta.url));
await mkdir(folder, { recursive: true });
await withBrowser((open) => pictures(open, folder));
