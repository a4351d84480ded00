import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { babel } from "./tooling/babel.ts";
import { catalog } from "./tooling/catalog.ts";

const server = process.env.TENFOLD_APP_URL ?? "http://localhost:8080";

export default defineConfig({
  plugins: [
    catalog(),
    // Words first: the macro reads string literals as they were written.
    babel("words", ["@lingui/babel-plugin-lingui-macro"]),
    babel("compiler", [["babel-plugin-react-compiler", { target: "19" }]]),
    react(),
    lingui(),
    tailwindcss(),
  ],
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      "@catalog": fileURLToPath(new URL("../catalog", import.meta.url)),
    },
  },
  build: {
    target: "es2022",
    manifest: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // These libraries do nothing when imported, but do not say so: unused parts of them can go.
        moduleSideEffects: [
          {
            test: /node_modules\/(@turnkey|@peculiar|borsh|cbor-js|@noble|asn1js|pvtsutils|pvutils)\//,
            sideEffects: false,
          },
        ],
      },
    },
  },
  server: {
    host: "localhost",
    port: 5173,
    fs: { allow: [".."] }, // the catalog stands beside web/
    strictPort: true,
    proxy: {
      "/api": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  preview: { host: "localhost", strictPort: true },
});
