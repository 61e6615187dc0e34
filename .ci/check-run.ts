// Fails unless a run directory has a complete run of a study over the default stacks, with answered calls of each arm.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultStackNames } from "../packages/stacks/src/index.ts";

interface Run {
  readonly status: string;
  readonly arms: readonly { readonly id: string; readonly study: string; readonly stack: string }[];
  readonly blocks: readonly { readonly armId: string; readonly calls: number; readonly failedCalls: number }[];
}

const [directory = "", study = ""] = process.argv.slice(2);
const run = JSON.parse(readFileSync(join(directory, "run.json"), "utf8")) as Run;
const arms = run.arms.filter((arm) => arm.study === study);

const faults = [
  ...(run.status === "complete" ? [] : [`the run is ${run.status}`]),
  ...defaultStackNames()
    .filter((name) => !arms.some((arm) => arm.stack === name))
    .map((name) => `no arm of ${study} on ${name}`),
  ...arms
    .filter(({ id }) => !run.blocks.some(({ armId, calls, failedCalls }) => armId === id && calls > failedCalls))
    .map(({ id }) => `no answered calls of ${id}`),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
