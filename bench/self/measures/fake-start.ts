// How quickly a fake is there, and how much memory it takes, beside other programs that fake a contract, where they are installed. msw is not among
// them: it answers inside the process of a test, so that it has no start of its own.
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { cpuMsOf, freePort, residentBytesOf } from "@roundtrip/runner/parts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { delimiter, join } from "node:path";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Figure, median, type Measure, type MeasureOptions } from "../measure.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const roundtrip = join(root, "packages", "cli", "bin", "roundtrip.js");
const builtInImage = join(root, "packages", "contract", "src", "gen", "roundtrip.binpb");

/** A program that fakes the built-in contract or another one. */
interface Faker {
  readonly name: string;
  /** @param port a free one */
  readonly command: (port: number) => readonly [program: string, ...args: string[]];
  /** Resolves to its address when the program is ready. */
  readonly ready: (child: ChildProcess, port: number) => Promise<string>;
  /** Its first call; undefined for an operation that the fake itself lists, over Connect. */
  readonly call: Call | undefined;
  readonly targets: Partial<Readonly<Record<"readyMs" | "residentMB" | "firstCallMs", number>>>;
}

interface Call {
  readonly path: string;
  /** JSON; undefined for a GET. */
  readonly body: string | undefined;
}

const getCustomer: Call = { path: "/v1/customers/7", body: undefined };

/** The address that the fake prints in one line of JSON. */
async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (JSON.parse(text) as Readonly<Record<string, string>>)["fake"] ?? "";
}

/** Other programs print in many ways: they are ready when they accept a connection. */
async function acceptingAddress(child: ChildProcess, port: number): Promise<string> {
  while (child.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return `http://127.0.0.1:${port}`;
    await wait(2);
  }
  throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
}

function ourFake(contract: string | undefined): Faker {
  const given = contract === undefined ? [] : ["--contract", contract];
  return {
    name: `roundtrip fake, ${contract ?? "built-in contract"}`,
    command: () => [process.execPath, roundtrip, "fake", "--port", "0", "--json", "--no-config", ...given],
    ready: printedAddress,
    call: contract === undefined ? getCustomer : undefined,
    targets: { readyMs: contract === undefined ? 500 : 700, residentMB: 110, firstCallMs: 30 },
  };
}

function installed(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

const peers: readonly (Faker & { readonly program: string })[] = [
  {
    name: "FauxRPC",
    program: "fauxrpc",
    // It finds no imports for .proto files.
    command: (port) => ["fauxrpc", "run", `--schema=${builtInImage}`, `--addr=127.0.0.1:${port}`],
    ready: acceptingAddress,
    call: getCustomer,
    targets: {},
  },
  {
    name: "Prism",
    program: "prism",
    // By this Node.js: what a package manager puts in place of `node` may be a shell, whose memory would be measured.
    command: (port) => [
      process.execPath,
      installed("prism") ?? "",
      "mock",
      join(root, "schema", "openapi.yaml"),
      "--port",
      String(port),
    ],
    ready: acceptingAddress,
    call: getCustomer,
    targets: {},
  },
];

async function answerTo(url: string, { path, body }: Call): Promise<string> {
  const sent = request(`${url}${path}`, { method: body === undefined ? "GET" : "POST" });
  if (body !== undefined) sent.setHeader("content-type", "application/json");
  sent.end(body);
  const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer> & { readonly statusCode?: number }];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  if (response.statusCode !== 200) throw new Error(`${url}${path} answered ${response.statusCode}: ${text}`);
  return text;
}

async function callMs(url: string, call: Call): Promise<number> {
  const startedAt = performance.now();
  await answerTo(url, call);
  return performance.now() - startedAt;
}

/** The client of the first call has made calls before. */
async function warmClient(): Promise<void> {
  const server = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let at = 0; at < 20; at += 1) await callMs(url, getCustomer);
  server.close();
}

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly residentMB: number;
  readonly firstCallMs: number;
}

/** Long enough to load what a fake loads in idle time, as in the time between its start and the first call of a person or a test. */
const idleMs = 1_000;

/** Starts it, and resolves with what `use` returns for its address and the time that it took. */
async function started<T>(
  { command, ready }: Faker,
  cacheFolder: string,
  use: (url: string, readyMs: number, pid: number) => Promise<T>,
): Promise<T> {
  const port = await freePort("127.0.0.1");
  const [program, ...args] = command(port);
  const env = { ...process.env, XDG_CACHE_HOME: cacheFolder };
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    return await use(await ready(child, port), performance.now() - startedAt, child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** The first unary operation that the fake lists, with its example. */
async function listedCall(url: string): Promise<Call> {
  const text = await answerTo(url, { path: "/operations", body: undefined });
  const operations = JSON.parse(text) as readonly Readonly<
    Record<"service" | "name" | "kind", string> & { request: unknown }
  >[];
  const first = operations.find(({ kind }) => kind === "unary");
  if (first === undefined) throw new Error("the contract has no unary operation");
  return { path: `/${first.service}/${first.name}`, body: JSON.stringify(first.request) };
}

/** The start of a program that has run before: Node.js has compiled it. */
async function startOf(faker: Faker, cacheFolder: string, call: Call): Promise<Start> {
  return started(faker, cacheFolder, async (url, readyMs, pid) => {
    const cpuMs = cpuMsOf(pid) ?? 0;
    await wait(idleMs);
    const firstCallMs = await callMs(url, call);
    return { readyMs, cpuMs, residentMB: (residentBytesOf([pid]) ?? 0) / 1e6, firstCallMs };
  });
}

function figuresOf({ name, targets }: Faker, starts: readonly Start[]): readonly Figure[] {
  const figure = (of: string, key: keyof Start, unit: string): readonly Figure[] => {
    const values = starts.map((start) => start[key]);
    const atMost = (targets as Partial<Record<keyof Start, number>>)[key];
    return [{ of: `${name}: ${of}`, value: median(values), interval: null, unit, atMost }];
  };
  return [
    ...figure("ready", "readyMs", "ms"),
    ...figure("CPU until then", "cpuMs", "ms"),
    ...figure("memory after the first call", "residentMB", "MB"),
    ...figure("first call", "firstCallMs", "ms"),
  ];
}

async function run({ rounds, only, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const contracts = only.length > 0 ? only : [join(root, "proto")];
  const fakers = [
    ourFake(undefined),
    ...contracts.map(ourFake),
    ...peers.filter(({ program }) => installed(program) !== undefined),
  ];
  await warmClient();
  using cache = temporaryFolder("fake-start");
  const series: { readonly faker: Faker; readonly call: Call; readonly starts: Start[] }[] = [];
  for (const faker of fakers) {
    const call = await started(faker, cache.path, async (url) => {
      await wait(idleMs);
      return faker.call ?? listedCall(url);
    });
    series.push({ faker, call, starts: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const { faker, call, starts } of series) starts.push(await startOf(faker, cache.path, call));
  }
  return series.flatMap(({ faker, starts }) => figuresOf(faker, starts));
}

export const measure: Measure = {
  name: "fake-start",
  title: "how long a fake takes to start, and its memory",
  rounds: 5,
  run,
};
