import { type PluginItem, transformAsync } from "@babel/core";
import type { Plugin } from "vite";

/**
 * Runs Babel plugins over the page's own sources before the bundler sees them.
 * Types and JSX are parsed and kept: the bundler removes them as usual.
 */
export function babel(name: string, plugins: PluginItem[]): Plugin {
  return {
    name: `tenfold:babel:${name}`,
    enforce: "pre",
    async transform(code, id) {
      const [file = ""] = id.split("?");
      if (!/\/src\/.*\.tsx?$/.test(file) || file.includes("/node_modules/")) return null;
      const result = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"] },
        plugins,
      });
      return result?.code ? { code: result.code, map: result.map ?? null } : null;
    },
  };
}
