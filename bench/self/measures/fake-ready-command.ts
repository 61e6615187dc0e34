// The start-up time of `roundtrip fake`: from the start of the command until a first call is answered, over each style, in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Client, credentials, status } from "@grpc/grpc-js";
import { cpuMsOf, peakMiBOf } from "@roundtrip/runner/parts";
import { atExit } from "@roundtrip/runner/lifetime";
import { meanFigures } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

/** Calls by plain clients: this process uses none of ours, so that it has nothing to load meanwhile. */
interface FirstCalls {
  /** Path and query. */
  readonly rest: string;
  /** Package, service and method, called with an empty request. */
  readonly grpc: string;
  /** A query. */
  readonly graphql: string;
}

interface Contract extends FirstCalls {
  readonly name: string;
  readonly flags: readonly string[];
  readonly atMostMs: number;
  readonly atMostMiB: number | undefined;
}

const main = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "bin", "roundtrip.js");
const google = join(dirname(findPackageJSON("google-proto-files", import.meta.url) ?? "."), "google");

const contracts: readonly Contract[] = [
  {
    name: "this project's contract",
    flags: [],
    atMostMs: 1_000,
    atMostMiB: undefined,
    rest: "/v1/hello?name=Ada",
    grpc: "/roundtrip.v1.HelloService/SayHello",
    graphql: '{ sayHello(name: "Ada") { message } }',
  },
  {
    name: "google/pubsub/v1",
    flags: ["--contract", join(google, "pubsub", "v1")],
    atMostMs: 3_000,
    atMostMiB: undefined,
    rest: "/v1/projects/one/topics",
    grpc: "/google.pubsub.v1.Publisher/ListTopics",
    graphql: '{ topics(project: "projects/one") { nextPageToken } }',
  },
  {
    name: "google/cloud/compute/v1, 993 operations",
    flags: ["--contract", join(google, "cloud", "compute", "v1"), "--proto-path", dirname(google)],
    atMostMs: 8_000,
    atMostMiB: 600,
    rest: "/compute/v1/projects/one",
    grpc: "/google.cloud.compute.v1.Projects/Get",
    graphql: '{ projectsGet(project: "one") { id } }',
  },
];

async function requireAnswer(answering: Promise<Response>): Promise<void> {
  const answer = await answering;
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors"')) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
}

function same(bytes: Buffer): Buffer {
  return bytes;
}

const refusals: ReadonlySet<status> = new Set([status.INVALID_ARGUMENT, status.NOT_FOUND]);

async function callGrpc(url: string, path: string): Promise<void> {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.makeUnaryRequest(path, same, same, Buffer.alloc(0), (error) => {
    // An error that refuses the empty request is an answer too.
    if (error === null || refusals.has(error.code)) resolve();
    else reject(error);
  });
  await promise.finally(() => client.close());
}

const styles: Readonly<Record<string, (url: string, calls: FirstCalls) => Promise<void>>> = {
  "grpc-js": (url, { grpc }) => callGrpc(url, grpc),
  "rest-express": (url, { rest }) => requireAnswer(fetch(new URL(rest, url))),
  "graphql-apollo": (url, { graphql }) => {
    const body = JSON.stringify({ query: graphql });
    return requireAnswer(fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }));
  },
};

interface Waited {
  /** Until the addresses are printed. */
  readonly listeningMs: number;
  /** CPU time until then, of the program alone: without the compiler that it starts. */
  readonly cpuMs: number;
  readonly answeredMs: number;
  /** The largest memory of the program until then; NaN where the system does not report it. */
  readonly peakMiB: number;
}

async function waited(contract: Contract, style: string): Promise<Waited> {
  const startedAtMs = performance.now();
  const program = spawn(process.execPath, [main, "fake", ...contract.flags, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  using _ = atExit(() => program.kill("SIGKILL"));
  const ended = new Promise((resolve) => program.once("close", resolve));
  try {
    const [first] = (await once(createInterface(program.stdout), "line")) as [string];
    const listeningMs = performance.now() - startedAtMs;
    const cpuMs = cpuMsOf(program.pid ?? 0) ?? Number.NaN;
    const url = (JSON.parse(first) as Readonly<Record<string, string>>)[style] ?? "";
    await styles[style]?.(url, contract);
    const answeredMs = performance.now() - startedAtMs;
    return { listeningMs, cpuMs, answeredMs, peakMiB: peakMiBOf(program.pid ?? 0) ?? Number.NaN };
  } finally {
    program.kill("SIGTERM");
    await ended;
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const inMs = { unit: "ms", atMost: undefined } as const;

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const names = Object.keys(styles);
  const series = contracts.flatMap(({ name, atMostMs, atMostMiB }) => [
    { ...inMs, of: `${name}, listening`, atMost: atMostMs, values: [] as number[] },
    { ...inMs, of: `${name}, listening, processor time`, values: [] as number[] },
    ...names.map((style) => ({ ...inMs, of: `${name}, ${style} called`, values: [] as number[] })),
    { unit: "MiB", of: `${name}, memory`, atMost: atMostMiB, values: [] as number[] },
  ]);
  for (let round = 1; round <= rounds; round += 1) {
    onProgress(`round ${round} of ${rounds}`);
    const seen: number[] = [];
    for (const contract of contracts) {
      const starts: Waited[] = [];
      for (const style of names) starts.push(await waited(contract, style));
      // One value per round: its starts are not independent.
      seen.push(meanOf(starts.map(({ listeningMs }) => listeningMs)), meanOf(starts.map(({ cpuMs }) => cpuMs)));
      seen.push(...starts.map(({ answeredMs }) => answeredMs), meanOf(starts.map(({ peakMiB }) => peakMiB)));
    }
    for (const [index, { values }] of series.entries()) values.push(seen[index] ?? Number.NaN);
  }
  return meanFigures(series, seed);
}

export const measure: Measure = {
  name: "fake-ready-command",
  title:
    "`roundtrip fake`, from the start of the command, with compilation of the contract, until it listens and until a first call is answered",
  rounds: 6,
  run,
};
