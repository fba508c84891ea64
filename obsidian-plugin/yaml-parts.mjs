// What of the package yaml is shipped: it reads notes; it writes none, and knows no types of YAML 1.1.
import { readFileSync } from "node:fs";

const WITHOUT = /yaml[\\/]browser[\\/]dist[\\/](?:stringify|schema[\\/]yaml-1\.1)[\\/](?!merge|schema|float|int|bool)\w+\.js$/;
const SCHEMA_11 = /yaml-1\.1[\\/]schema\.js$/;

/**
 * Return what stands in place of a file of the package, null if it is shipped as it is.
 * @param {string} path
 * @returns {string | null}
 */
export function replaced(path) {
  if (SCHEMA_11.test(path)) return 'export { schema } from "../core/schema.js";';
  if (!WITHOUT.test(path)) return null;
  const names = /export \{([^}]+)\}/.exec(readFileSync(path, "utf8"))[1].split(",").map((name) => name.trim());
  return `export const ${names.map((name) => `${name} = undefined`).join(", ")};`;
}
