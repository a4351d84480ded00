import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import { defineConfig } from "vitest/config";
import { babel } from "./tooling/babel.ts";

export default defineConfig({
  plugins: [babel("words", ["@lingui/babel-plugin-lingui-macro"]), lingui()],
  oxc: { jsx: { runtime: "automatic" } },
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      "@catalog": fileURLToPath(new URL("../catalog", import.meta.url)),
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "node",
    setupFiles: ["./src/test-setup.ts"],
    restoreMocks: true,
  },
});
