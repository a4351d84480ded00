import type { Plugin } from "vite";

const serverOnly = ["venues", "rpcUrls", "finality"];

/** Leaves out of the page what only the server reads of the catalog's chains. */
export function catalog(): Plugin {
  return {
    name: "tenfold:catalog",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/catalog/chains.json")) return null;
      const keep = (key: string, value: unknown) => (serverOnly.includes(key) ? undefined : value);
      return { code: JSON.stringify(JSON.parse(code), keep), map: null };
    },
  };
}
