// Where the programs under test are.

import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** The `tenfold` program that `make build` makes, or the one that TENFOLD_PROGRAM names. */
export const tenfold =
  process.env.TENFOLD_PROGRAM ?? fileURLToPath(new URL("../../bin/tenfold", import.meta.url));

/** The browser, as scripts/chromium.sh finds it. */
export const chromiumPath = process.env.CHROMIUM || "/usr/bin/chromium";
