import { join } from "node:path";
import { defineConfig } from "vitest/config";

// the npm package `obsidian` holds types only; the mocks stand in for the app
const mocks = join(import.meta.dirname, "node_modules/obsidian-test-mocks/dist/lib/esm/obsidian/index.mjs");

export default defineConfig({
  test: {
    projects: [
      { test: { name: "pure", environment: "node", include: ["tests/{domain,notes}/**/*.test.ts"] } },
      {
        resolve: { alias: [{ find: /^obsidian$/, replacement: mocks }] },
        test: {
          name: "app",
          environment: "jsdom",
          setupFiles: ["obsidian-test-mocks/vitest-setup"],
          include: ["tests/{obsidian,ui}/**/*.test.ts"],
          server: { deps: { inline: [/obsidian-test-mocks/] } },
        },
      },
    ],
  },
});
