// What load generators read off servers whose truth is known: ours in an open loop, and autocannon in both of its modes. Prints JSON.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { builtInContract, type Client } from "@roundtrip/contract";
import { constantRate, poisson, type Pacer } from "@roundtrip/runner";
import {
  prepareExecution,
  Recorder,
  WireMeter,
  type ServerStart,
  type ServerStarted,
} from "@roundtrip/runner/measured-process";
import { Child, pin, placements, processFile } from "@roundtrip/runner/parts";
import { connectDefaults, loadConnect, serveDefaults } from "@roundtrip/stacks";
import autocannon from "autocannon";
import { join } from "node:path";
import { frozenQuantileMs } from "../known-delays.ts";
import { lineClient } from "../line-client.ts";

/** One reading, beside what it has to be. */
export interface Reading {
  readonly by: string;
  readonly server: string;
  readonly percentile: "p50" | "p95" | "p97.5" | "p99";
  readonly readMs: number;
  readonly trueMs: number;
}

const stack = "rest-express";
const contract = builtInContract();
const meter = new WireMeter();
const lines = new Child({
  file: join(import.meta.dirname, "known-delays-process.ts"),
  enter: [],
  label: "server of known delays",
});
const rest = new Child({ file: processFile("server"), enter: [], label: "REST server of known delays" });
const start: ServerStart = {
  ask: "start",
  stack,
  host: serveDefaults.host,
  settings: {},
  contract: { kind: "built-in" },
  service: { module: new URL("../known-delays.ts", import.meta.url).href, factory: "knownDelays" },
  services: {},
  tls: undefined,
};
const { url: linesUrl } = await lines.ask<ServerStarted>(start);
const { url } = await rest.ask<ServerStarted>(start);
const cores = placements().ofRound(0);
for (const { pid } of [lines, rest]) pin(pid, cores.server);
pin(process.pid, cores.client);

/** Latencies in ms from the intended starts, ascending. */
async function openLoopMs(client: Client, name: string, pacer: Pacer, tasks: number): Promise<Float64Array> {
  const recorder = new Recorder(tasks);
  const outcomes = ["OK"];
  const steps = [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name } }];
  const plan = { order: "sequential", driver: "own", steps } as const;
  const execution = prepareExecution(contract, client, plan, 20, { recorder, meter, outcomes });
  // Code and connections are not what is measured.
  recorder.begin(0, 0);
  await execution.run(Math.min(tasks, 200));
  recorder.begin(0, 0);
  const startsMs = pacer.schedule(tasks, 1);
  await execution.paced({ loop: "open", startsMs, mostInFlight: tasks }).ended;
  const { intendedAtMs, endedAtMs } = recorder.rows();
  if (outcomes.length > 1) throw new Error(`a call failed with ${outcomes[1]}`);
  return sortedCopy(endedAtMs.map((atMs, row) => atMs - (intendedAtMs[row] ?? Number.NaN)));
}

async function autocannonMs(name: string, options: Partial<autocannon.Options>): Promise<autocannon.Histogram> {
  const { latency } = await autocannon({ url: `${url}/v1/hello?name=${encodeURIComponent(name)}`, ...options });
  return latency;
}

const frozen = "freezes for 0.1 s in each second, else 1 ms";
const constant = "constant 20 ms";
const readings: Reading[] = [];
function read(by: string, of: string, ...rows: readonly [Reading["percentile"], number, number][]): void {
  for (const [percentile, readMs, trueMs] of rows) readings.push({ by, server: of, percentile, readMs, trueMs });
}

const line = await lineClient(linesUrl);
// A rate that is no divisor of the cycle: each second's arrivals come at moments of their own.
const frozenMs = await openLoopMs(line, "World", constantRate({ rateHz: 97.3 }), 973);
read(
  "ours, open loop",
  frozen,
  ["p95", quantile(frozenMs, 0.95), frozenQuantileMs(0.95)],
  ["p99", quantile(frozenMs, 0.99), frozenQuantileMs(0.99)],
);
const constantMs = await openLoopMs(line, "for 20", constantRate({ rateHz: 10 }), 50);
read("ours, 10 requests a second", constant, ["p50", quantile(constantMs, 0.5), 20]);
const burstsMs = await openLoopMs(line, "for 20", poisson({ rateHz: 50 }), 250);
read(
  "ours, Poisson at 50 a second",
  constant,
  ["p50", quantile(burstsMs, 0.5), 20],
  ["p99", quantile(burstsMs, 0.99), 20],
);
await line.close();
lines.kill();

const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url, connections: 32 });
const overRestMs = await openLoopMs(client, "for 20", constantRate({ rateHz: 10 }), 50);
read("REST in an open loop, 10 requests a second", constant, ["p50", quantile(overRestMs, 0.5), 20]);
await client.close();

const closed = await autocannonMs("World", { connections: 10, duration: 10 });
read(
  "autocannon, closed loop",
  frozen,
  ["p97.5", closed.p97_5, frozenQuantileMs(0.975)],
  ["p99", closed.p99, frozenQuantileMs(0.99)],
);
const rated = await autocannonMs("World", { connections: 10, duration: 10, overallRate: 97 });
read(
  "autocannon, rate mode",
  frozen,
  ["p97.5", rated.p97_5, frozenQuantileMs(0.975)],
  ["p99", rated.p99, frozenQuantileMs(0.99)],
);
const steady = await autocannonMs("for 20", { connections: 1, duration: 5 });
read("autocannon, closed loop", constant, ["p50", steady.p50, 20]);
const slow = await autocannonMs("for 20", { connections: 1, duration: 5, overallRate: 10 });
read("autocannon, rate mode, 10 requests a second", constant, ["p50", slow.p50, 20]);

process.stdout.write(JSON.stringify(readings), () => {
  rest.kill();
  process.exit(0);
});
