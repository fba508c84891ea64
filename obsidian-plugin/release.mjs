// Puts what a release consists of into release/, after a check that all versions agree. The tag is the version itself.
import { copyFile, mkdir, readFile, rm } from "node:fs/promises";

const read = async (name) => JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));
const [manifest, versions, project] = await Promise.all(["manifest.json", "versions.json", "package.json"].map(read));

if (manifest.version !== project.version) throw new Error(`manifest.json says ${manifest.version}, package.json ${project.version}`);
if (versions[manifest.version] !== manifest.minAppVersion) {
  throw new Error(`versions.json must name ${manifest.minAppVersion} for ${manifest.version}`);
}
await import("./build.mjs");
const folder = new URL("release/", import.meta.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder);
for (const asset of ["main.js", "manifest.json", "styles.css"]) {
  await copyFile(new URL(asset, import.meta.url), new URL(asset, folder));
}
process.stdout.write(`release ${manifest.version}: ${["main.js", "manifest.json", "styles.css"].join(", ")}\n`);
