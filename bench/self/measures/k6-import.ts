// The time and memory of importing k6 results, in a process of its own, from its start to the report, with all of k6's own lines around each call.
import { contractImage, exportFiles, k6ArmsOf, patientTiming, planOf, writeExport, type K6Plan } from "@roundtrip/k6";
import { armsOf, scheduleRound } from "@roundtrip/runner/parts";
import { randomFrom } from "@roundtrip/analysis/statistics";
import { loadStack } from "@roundtrip/stacks";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { study as hello } from "../../studies/hello.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { meanFigures } from "../mean-intervals.ts";
import { runProgram, type ProgramCost } from "../run-program.ts";

const calls = 1_000_000;
const tasksPerBlock = 1_000;
const stackNames = ["graphql-apollo", "grpc-js", "rest-express"];

/** The metrics that k6 1.8 writes for an HTTP request and an iteration, in addition to our own sample. */
const ownMetrics = [
  "http_reqs",
  "http_req_duration",
  "http_req_blocked",
  "http_req_connecting",
  "http_req_tls_handshaking",
  "http_req_sending",
  "http_req_waiting",
  "http_req_receiving",
  "data_sent",
  "data_received",
  "iteration_duration",
  "iterations",
];

/** The plan of this many hello calls, shared by three styles. */
async function planOfCalls(seed: number): Promise<{ readonly plan: K6Plan; readonly contract: Uint8Array }> {
  const { contract, bytes, hash } = contractImage({ kind: "built-in" });
  const tasksPerRound = Math.ceil(calls / stackNames.length);
  const tasks = hello.tasks.map((task) => ({ ...task, tasksPerRound, tasksPerBlock }));
  const arms = armsOf([{ ...hello, tasks }], await Promise.all(stackNames.map((name) => loadStack(name))));
  const schedule = scheduleRound(arms, seed, 0);
  const prepared = await k6ArmsOf(arms, contract);
  const common = { seed, round: 0, firstBlock: 0, contractHash: hash, timing: patientTiming(1) };
  return { plan: planOf({ prepared, schedule, ...common }), contract: bytes };
}

/** Writes the results of one of two k6 instances, each with every other task. */
async function writeResults(plan: K6Plan, half: 0 | 1, path: string, seed: number): Promise<void> {
  const random = randomFrom(seed, `results ${half}`);
  const file = createWriteStream(path);
  const time = "2026-01-31T12:00:00.123456789Z";
  const line = (metric: string, value: number, tags: object, more = ""): string =>
    `{"metric":"${metric}","type":"Point","data":{"time":"${time}","value":${value},"tags":${JSON.stringify(tags)}${more}}}\n`;
  const segment = ["0:1/2", "1/2:1"][half];
  file.write(line("roundtrip_instance", 1_769_860_800_000, { plan: plan.planHash, segment, version: "v1.8.1" }));
  for (const { name, tasks, beginsMs } of plan.cells) {
    const tags = { scenario: name };
    let lines = "";
    for (let task = half; task < tasks; task += 2) {
      const ms = 0.2 + random();
      lines += ownMetrics.map((metric) => line(metric, ms, tags)).join("");
      const metadata = JSON.stringify({ at: String(beginsMs + 0.1 * task), task: String(task), step: "0" });
      lines += line("roundtrip_call", ms, { outcome: "OK", ...tags }, `,"metadata":${metadata}`);
    }
    if (!file.write(lines)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  using directory = temporaryFolder("self");
  const { plan, contract } = await planOfCalls(seed);
  const folder = join(directory.path, "export");
  await writeExport(folder, exportFiles({ plans: [plan], contract, protoFiles: [] }));
  const files: string[] = [];
  for (const half of [0, 1] as const) {
    onProgress(`writing results ${half + 1} of 2`);
    const path = join(directory.path, `results-${half + 1}.json`);
    await writeResults(plan, half, path, seed);
    files.push(path);
  }
  const costs: ProgramCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`import ${round + 1} of ${rounds}`);
    const out = join(directory.path, `run-${round}`);
    costs.push(await runProgram(["bench", "--engine", "k6", "--import", ...files, "--plan", folder, "--out", out]));
  }
  const of = `${calls.toLocaleString("en-US")} calls, with the report`;
  return [
    ...meanFigures([{ of, unit: "s", atMost: 20, values: costs.map(({ elapsedMs }) => elapsedMs / 1_000) }], seed),
    ...meanFigures([{ of, unit: "MiB", atMost: 1_024, values: costs.map(({ peakMiB }) => peakMiB) }], seed),
  ];
}

export const measure: Measure = {
  name: "k6-import",
  title: "importing a million calls from k6's output, with all of k6's own lines: wall time, and memory at its peak",
  rounds: 1,
  run,
};
