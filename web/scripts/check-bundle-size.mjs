// Fails when the built page is heavier than its budget. Sizes are gzip -9 in kB
// (1000 bytes). Lower a budget when the page got lighter; never raise one
// without a decision.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const budgets = { initialScript: 140, initialStyle: 12, chunk: 35 };

/** Chunks loaded on one press, with the reason why they may be heavier than a page's chunk. */
const exceptions = {};

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const size = (file) => gzipSync(readFileSync(fileURLToPath(new URL(file, dist))), { level: 9 }).length / 1000;

function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) withImports(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const initial = withImports(entry);
const failures = [];

function judge(name, kilobytes, budget) {
  console.log(`${name.padEnd(48)} ${kilobytes.toFixed(1).padStart(7)} of ${budget} kB`);
  if (kilobytes > budget) failures.push(name);
}

const files = [...initial].map((key) => manifest[key]);
judge(
  "initial scripts",
  files.reduce((sum, chunk) => sum + size(chunk.file), 0),
  budgets.initialScript,
);
const styles = new Set(files.flatMap((chunk) => chunk.css ?? []));
judge(
  "initial styles",
  [...styles].reduce((sum, file) => sum + size(file), 0),
  budgets.initialStyle,
);
for (const [key, chunk] of Object.entries(manifest)) {
  if (initial.has(key) || !chunk.file.endsWith(".js")) continue;
  judge(chunk.file, size(chunk.file), exceptions[chunk.name] ?? budgets.chunk);
}

if (failures.length > 0) {
  console.error(`over budget: ${failures.join(", ")}`);
  process.exit(1);
}
