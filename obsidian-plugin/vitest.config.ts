import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { replaced } from "./yaml-parts.mjs";

// the npm package `obsidian` holds types only; the mocks stand in for the app
const mocks = join(import.meta.dirname, "node_modules/obsidian-test-mocks/dist/lib/esm/obsidian/index.mjs");

// notes are read as in the app, by the parts of the package that are shipped
const shippedYaml = { name: "shipped-yaml", enforce: "pre" as const, load: (id: string) => replaced(id.split("?")[0] ?? "") };
const yaml = { find: /^yaml$/, replacement: join(import.meta.dirname, "node_modules/yaml/browser/dist/index.js") };

// a busy machine is slow and not wrong
const testTimeout = 60_000;

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [shippedYaml],
        resolve: { alias: [yaml] },
        test: { name: "pure", testTimeout, environment: "node", include: ["tests/{domain,notes}/**/*.test.ts"], server: { deps: { inline: [/yaml/] } } },
      },
      {
        resolve: { alias: [{ find: /^obsidian$/, replacement: mocks }] },
        test: {
          name: "app",
          testTimeout,
          environment: "jsdom",
          setupFiles: ["obsidian-test-mocks/vitest-setup"],
          include: ["tests/{obsidian,ui}/**/*.test.ts"],
          server: { deps: { inline: [/obsidian-test-mocks/] } },
        },
      },
    ],
  },
});
