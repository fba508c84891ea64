import js from "@eslint/js";
import obsidianmd from "eslint-plugin-obsidianmd";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig([
  globalIgnores(["node_modules", "release", "main.js", "e2e", "**/*.mjs", "*.json", "vitest.config.ts"]),
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  ...obsidianmd.configs.recommended,
  {
    files: ["src/**/*.ts", "tests/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ["error", 8],
      // notes hold control characters, and these expressions are there to find them
      "no-control-regex": "off",
      "max-lines": ["error", 400],
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // the rules of memory and of notes know nothing of the app
    files: ["src/domain/**/*.ts", "src/notes/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", { paths: ["obsidian"], patterns: ["../obsidian/*", "../ui/*", "**/obsidian/**", "**/ui/**"] }],
    },
  },
  {
    files: ["src/domain/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", { paths: ["obsidian"], patterns: ["../obsidian/*", "../ui/*", "../notes/*"] }],
      "no-restricted-globals": ["error", "document", "window"],
      "no-restricted-properties": ["error", { object: "Date", property: "now" }, { object: "Math", property: "random" }],
    },
  },
  {
    files: ["src/obsidian/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: ["../ui/*"] }] },
  },
  {
    // the view for Bases is made only where the app says that it has them
    files: ["src/ui/freshness-view.ts"],
    rules: { "obsidianmd/no-unsupported-api": "off" },
  },
  {
    files: ["tests/**/*.ts"],
    rules: { "import/no-nodejs-modules": "off", "no-restricted-imports": "off", "obsidianmd/no-nodejs-modules": "off" },
  },
]);
