import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// the npm package `obsidian` holds types only; the mocks stand in for the app
const mocks = new URL("./node_modules/obsidian-test-mocks/dist/lib/esm/obsidian/index.mjs", import.meta.url);

export default defineConfig({
  resolve: { alias: [{ find: /^obsidian$/, replacement: fileURLToPath(mocks) }] },
  test: {
    environment: "jsdom",
    setupFiles: ["obsidian-test-mocks/vitest-setup"],
    include: ["tests/**/*.test.ts"],
    server: { deps: { inline: [/obsidian-test-mocks/] } },
  },
});
