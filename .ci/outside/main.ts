// Runs suites that nobody here wrote against the servers as a user starts them: all of them, or those that are named.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { keepFigures } from "./figures.ts";
import { runSuite, type SuiteOutcome } from "./run-suite.ts";
import { loadSuite, suiteNames } from "./suites.ts";

const usage = `pnpm outside [NAME…]   (${suiteNames().join(", ")})
  --requests N   suites that make requests up send at least so many
  --seed N       what they draw from (default: 2010)
  --json FILE    the outcome as JSON
  --keep         into the table of docs/outside-suites.md`;

function fail(message: string): never {
  console.error(`${message}\n${usage}`);
  process.exit(64);
}

function wholeNumber(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) fail(`${flag} ${text}: not a whole number above 0`);
  return Number(text);
}

function given(): ReturnType<typeof readArguments> {
  try {
    return readArguments();
  } catch (thrown) {
    return fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      requests: { type: "string" },
      seed: { type: "string", default: "2010" },
      json: { type: "string" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

const { values, positionals } = given();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const unknown = positionals.filter((name) => !suiteNames().includes(name));
if (unknown.length > 0) fail(`no suite is named ${unknown.join(", ")}`);
const names = positionals.length > 0 ? positionals : suiteNames();
const options = { seed: wholeNumber(values.seed, "--seed") ?? 0, requests: wholeNumber(values.requests, "--requests") };

const outcomes: SuiteOutcome[] = [];
for (const name of names) outcomes.push(await runSuite(name, await loadSuite(name), options));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(outcomes, undefined, 2)}\n`);
if (values.keep) keepFigures(outcomes, options.requests);
process.exitCode = outcomes.some(({ verdict }) => verdict === "failed") ? 1 : 0;
