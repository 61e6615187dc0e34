// The figures of load generators for servers with known delays: ours in an open loop, and autocannon in both of its modes. Prints JSON.
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { constantRate, poisson, type Pacer, sequentialPlan } from "@roundtrip/runner";
import { prepareExecution, Recorder, WireMeter, type ServerStarted } from "@roundtrip/runner/parts";
import { Child, pin, placements, processFile } from "@roundtrip/runner/parts";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import autocannon from "autocannon";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { freeze, frozenQuantileMs } from "../known-delays.ts";
import { serverStart } from "../probe.ts";

/** A measured figure with its true value. */
export interface Reading {
  /** `server` is the server's own clock. */
  readonly by: "server" | "ours" | "autocannon";
  readonly load: string;
  readonly server: string;
  readonly percentile: "p50" | "p95" | "p97.5" | "p99";
  readonly readMs: number;
  /** 0 if the server answers at once: then the figure is the round-trip time. */
  readonly trueMs: number;
}

type Row = readonly [Reading["percentile"], readMs: number, trueMs: number];

const stack = "rest-express";
const contract = builtInContract();
const meter = new WireMeter();
const lines = new Child({
  file: join(import.meta.dirname, "known-delays-process.ts"),
  commandPrefix: [],
  label: "server of known delays",
});
const start = serverStart(stack, {
  module: new URL("../known-delays.ts", import.meta.url).href,
  factory: "knownDelays",
});
const cores = placements().ofRound(0);
pin(process.pid, cores.client);

/** The client of a server with known delays: one TCP connection, a line per call, and no protocol overhead. */
async function lineClient(url: string): Promise<Client> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), noDelay: true });
  await once(socket, "connect");
  const waiting = new Map<string, (answer: Message) => void>();
  let calls = 0;
  createInterface(socket).on("line", (line) => {
    const [id = "", message = ""] = line.split(" ");
    waiting.get(id)?.(create(SayHelloResponseSchema, { message }));
    waiting.delete(id);
  });
  return {
    contract: builtInContract(),
    prepare: () => (request) =>
      new Promise((resolve) => {
        const id = String((calls += 1));
        waiting.set(id, resolve);
        socket.write(`${id} ${(request as Message & { readonly name: string }).name}\n`);
      }),
    prepareStream: () => () => Readable.from([]),
    prepareTogether: () => () => Promise.resolve([]),
    async close() {
      socket.destroy();
      await Promise.resolve();
    },
  };
}

/** Starts a server and returns its address. It never sleeps, so only one runs at a time. */
async function started(server: Child): Promise<string> {
  const { url } = await server.ask<ServerStarted>(start);
  pin(server.pid, cores.server);
  return url;
}

/** Latencies in ms from the intended starts, and the times that the server reported; both ascending. */
interface Seen {
  readonly readMs: Float64Array;
  readonly reportedMs: Float64Array;
}

async function openLoop(client: Client, name: string, pacer: Pacer, tasks: number): Promise<Seen> {
  const recorder = new Recorder(tasks);
  const outcomes = ["OK"];
  const steps = [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name } }];
  const plan = sequentialPlan(...steps);
  const reportedMs: number[] = [];
  const reporting: Client = {
    ...client,
    prepare: (operation) => {
      const invoke = client.prepare(operation);
      return async (request) => {
        const answer = await invoke(request);
        reportedMs.push(Number((answer as typeof answer & { readonly message: string }).message));
        return answer;
      };
    },
  };
  const execution = prepareExecution({
    contract,
    client: reporting,
    plan,
    callers: 20,
    callLog: { recorder, meter, outcomes },
  });
  // Warms up code and connections before the measurement.
  recorder.begin(0, 0);
  await execution.run(Math.min(tasks, 50));
  recorder.begin(0, 0);
  reportedMs.length = 0;
  await execution.paced({ loop: "open", startsMs: pacer.schedule(tasks, 1), mostInFlight: tasks }).ended;
  const { intendedAtMs, endedAtMs } = recorder.rows();
  if (outcomes.length > 1) throw new Error(`a call failed with ${outcomes[1]}`);
  return {
    readMs: sortedCopy(endedAtMs.map((atMs, row) => atMs - (intendedAtMs[row] ?? Number.NaN))),
    reportedMs: sortedCopy(Float64Array.from(reportedMs)),
  };
}

const frozen = `stands still for ${freeze.forMs / 1_000} s in each ${freeze.everyMs / 1_000} s, else ${freeze.elseMs} ms`;
const constant = "constant 20 ms";
const atOnce = "answers at once";
const tenHz = constantRate({ rateHz: 10 });
const readings: Reading[] = [];

function read(by: Reading["by"], load: string, server: string, ...rows: readonly Row[]): void {
  for (const [percentile, readMs, trueMs] of rows) readings.push({ by, load, server, percentile, readMs, trueMs });
}

/** Whole cycles, so that every moment of a cycle is equally likely. */
const seconds = (2 * freeze.everyMs) / 1_000;

function ofFrozen(sorted: Float64Array): readonly Row[] {
  return [
    ["p95", quantile(sorted, 0.95), frozenQuantileMs(0.95)],
    ["p99", quantile(sorted, 0.99), frozenQuantileMs(0.99)],
  ];
}

function ofConstant(sorted: Float64Array): readonly Row[] {
  return [
    ["p50", quantile(sorted, 0.5), 20],
    ["p95", quantile(sorted, 0.95), 20],
  ];
}

/** The histogram has no p95. */
function tailOfFrozen({ p97_5, p99 }: autocannon.Histogram): readonly Row[] {
  return [
    ["p97.5", p97_5, frozenQuantileMs(0.975)],
    ["p99", p99, frozenQuantileMs(0.99)],
  ];
}

async function readLines(): Promise<void> {
  const client = await lineClient(await started(lines));
  // The rate does not divide the cycle, so that each cycle has arrivals at different moments.
  const rateHz = 97.37;
  const still = await openLoop(client, "World", constantRate({ rateHz }), Math.floor(rateHz * seconds));
  read("server", "97.37 a second", frozen, ...ofFrozen(still.reportedMs));
  read("ours", "open loop, 97.37 a second", frozen, ...ofFrozen(still.readMs));
  const instant = await openLoop(client, "for 0", tenHz, 60);
  read("ours", "open loop, 10 a second", atOnce, ["p50", quantile(instant.readMs, 0.5), 0]);
  const slow = await openLoop(client, "for 20", tenHz, 60);
  read("server", "10 a second", constant, ["p50", quantile(slow.reportedMs, 0.5), 20]);
  read("ours", "open loop, 10 a second", constant, ["p50", quantile(slow.readMs, 0.5), 20]);
  const bursts = await openLoop(client, "for 20", poisson({ rateHz: 50 }), 400);
  read("server", "Poisson, 50 a second", constant, ...ofConstant(bursts.reportedMs));
  read("ours", "open loop, Poisson, 50 a second", constant, ...ofConstant(bursts.readMs));
  await client.close();
  lines.kill();
  await lines.gone;
}

async function autocannonMs(
  url: string,
  name: string,
  options: Partial<autocannon.Options>,
): Promise<autocannon.Histogram> {
  const { latency } = await autocannon({ url: `${url}/v1/hello?name=${encodeURIComponent(name)}`, ...options });
  return latency;
}

async function readRest(): Promise<void> {
  const server = new Child({ file: processFile("server"), commandPrefix: [], label: "REST server of known delays" });
  const url = await started(server);
  const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url, connections: 32 });
  // REST's own time at this slow pace, at which its code is never warm, is that of an answer without a delay.
  const instant = await openLoop(client, "for 0", tenHz, 60);
  const slow = await openLoop(client, "for 20", tenHz, 60);
  const ownMs = quantile(instant.readMs, 0.5);
  read("ours", "over REST, open loop, 10 a second", atOnce, ["p50", ownMs, 0]);
  const ofRest = `${constant}, and REST itself`;
  read("ours", "over REST, open loop, 10 a second", ofRest, ["p50", quantile(slow.readMs, 0.5), 20 + ownMs]);
  await client.close();

  const still = { connections: 10, duration: seconds };
  read("autocannon", "closed loop, 10 connections", frozen, ...tailOfFrozen(await autocannonMs(url, "World", still)));
  const rated = await autocannonMs(url, "World", { ...still, overallRate: 97 });
  read("autocannon", "rate mode, 97 a second", frozen, ...tailOfFrozen(rated));
  const steady = { connections: 1, duration: 5 };
  const closed = await autocannonMs(url, "for 20", steady);
  read("autocannon", "closed loop, 1 connection", constant, ["p50", closed.p50, 20]);
  const tenths = await autocannonMs(url, "for 20", { ...steady, overallRate: 10 });
  read("autocannon", "rate mode, 10 a second", constant, ["p50", tenths.p50, 20]);
  server.kill();
}

await readLines();
await readRest();
process.stdout.write(JSON.stringify(readings), () => process.exit(0));
