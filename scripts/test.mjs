#!/usr/bin/env node
// Runs every test suite, shows what fails, and ends with one summary line.
// `node scripts/test.mjs e2e` runs only the suites that drive the real stack.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

const chromium = spawnSync("scripts/chromium.sh", { encoding: "utf8" }).stdout.trim();
const env = { ...process.env, CHROMIUM: chromium };

/** Paths of the node:test files under a folder. */
function testFiles(folder) {
	return readdirSync(folder, { recursive: true })
		.filter((name) => /\.test\.m?js$/.test(name) && !name.includes("node_modules"))
		.map((name) => `${folder}/${name}`)
		.sort();
}

// A tally per suite; a suite that can't run at all counts as one failure.
const tally = () => ({ passed: 0, failed: 0, skipped: 0 });

/** Runs a command and gives every line of its output to `onLine`; resolves to the exit code. */
function lines(command, args, cwd, onLine) {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
		createInterface({ input: child.stdout }).on("line", onLine);
		child.on("error", (error) => {
			console.error(`${command}: ${error.message}`);
			resolve(1);
		});
		child.on("close", resolve);
	});
}

/** `go test -json`: counts top-level tests and subtests, prints packages and the output of failures. */
async function goTests(packages, extra = []) {
	const count = tally();
	const output = new Map();
	const code = await lines("go", ["test", "-json", ...extra, ...packages], ".", (line) => {
		let event;
		try {
			event = JSON.parse(line);
		} catch {
			console.log(line);
			return;
		}
		const key = `${event.Package ?? event.ImportPath} ${event.Test ?? ""}`;
		if (event.Action === "output" || event.Action === "build-output") {
			output.set(key, (output.get(key) ?? "") + event.Output);
			return;
		}
		if (!["pass", "fail", "skip"].includes(event.Action)) return;
		const text = output.get(key) ?? "";
		output.delete(key);
		if (event.Action === "fail") process.stdout.write(text);
		if (!event.Test) {
			if (event.Action !== "skip") console.log(`${event.Action}  ${event.Package}  ${event.Elapsed}s`);
			return;
		}
		if (event.Action === "skip") process.stdout.write(text);
		count[{ pass: "passed", fail: "failed", skip: "skipped" }[event.Action]]++;
	});
	for (const [key, text] of output) if (key.includes("tenfold") && code !== 0) process.stdout.write(text);
	if (code !== 0 && count.failed === 0) count.failed++;
	return count;
}

/** A command whose last lines hold counts that `pattern` finds (named groups passed, failed, skipped). */
async function counted(command, args, cwd, patterns) {
	const count = tally();
	const code = await lines(command, args, cwd, (coloured) => {
		console.log(coloured);
		const line = stripVTControlCharacters(coloured);
		for (const [kind, pattern] of Object.entries(patterns)) {
			const found = pattern.exec(line);
			if (found) count[kind] += Number(found[1]);
		}
	});
	if (code !== 0 && count.failed === 0) count.failed++;
	return count;
}

const nodeCounts = { passed: /^(?:# |ℹ )pass (\d+)/, failed: /^(?:# |ℹ )fail (\d+)/, skipped: /^(?:# |ℹ )skipped (\d+)/ };
const vitestCounts = {
	passed: /^\s*Tests\s.*?(\d+) passed/,
	failed: /^\s*Tests\s.*?(\d+) failed/,
	skipped: /^\s*Tests\s.*?(\d+) skipped/,
};
const nodeTest = (folder) =>
	counted("node", ["--test", "--test-concurrency=1", "--test-reporter=spec", ...testFiles(folder)], ".", nodeCounts);

const allSuites = {
	go: () => goTests(["./catalog/...", "./cmd/...", "./internal/...", "./localnet/...", "./web/...", "."]),
	typescript: () => counted("npm", ["test", "--silent"], "web", vitestCounts),
	localnet: () => nodeTest("localnet/solana"),
	frames: () => nodeTest("internal/custody/frames"),
	conformance: () => nodeTest("e2e/conformance"),
	journeys: () => nodeTest("e2e/journeys"),
	crash: () => goTests(["./e2e/..."], ["-timeout=8m", "-count=1"]),
};
const realStack = ["conformance", "journeys", "crash"];
const wanted = process.argv[2] === "e2e" ? realStack : Object.keys(allSuites);

const total = tally();
const rows = [];
for (const name of wanted) {
	console.log(`\n== ${name}`);
	const started = Date.now();
	const count = await allSuites[name]();
	rows.push({ suite: name, ...count, seconds: Math.round((Date.now() - started) / 1000) });
	for (const kind of Object.keys(total)) total[kind] += count[kind];
}
console.log("");
console.table(rows);
console.log(`Tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
