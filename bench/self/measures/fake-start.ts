// How quickly a fake is there, and how much memory it takes, beside other programs that fake a contract, where they are installed.
import { cpuMsOf, freePort, residentBytesOf } from "@roundtrip/runner/parts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { delimiter, join } from "node:path";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Figure, median, type Measure, type MeasureOptions } from "../measure.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const roundtrip = join(root, "packages", "cli", "bin", "roundtrip.js");

/** A program that fakes the built-in contract or another one. */
interface Faker {
  readonly name: string;
  /** @param port a free one */
  readonly command: (port: number) => readonly [program: string, ...args: string[]];
  /** Resolves to the address of REST when the program is ready. */
  readonly ready: (child: ChildProcess, port: number) => Promise<string>;
  /** Of a first call; undefined where none is known. */
  readonly path: string | undefined;
  readonly targets: Partial<Readonly<Record<"readyMs" | "residentMB" | "firstCallMs", number>>>;
}

/** The addresses that the fake prints as one line of JSON. */
async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return (JSON.parse(text) as Readonly<Record<string, string>>)["rest-express"] ?? "";
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
    path: contract === undefined ? "/v1/customers/7" : undefined,
    targets: { readyMs: contract === undefined ? 500 : 700, residentMB: 110, firstCallMs: 30 },
  };
}

const peers: readonly Faker[] = [
  {
    name: "FauxRPC",
    command: (port) => ["fauxrpc", "run", `--schema=${join(root, "proto")}`, `--addr=127.0.0.1:${port}`],
    ready: acceptingAddress,
    path: "/v1/customers/7",
    targets: {},
  },
  {
    name: "Prism",
    command: (port) => ["prism", "mock", join(root, "schema", "openapi.yaml"), "--port", String(port)],
    ready: acceptingAddress,
    path: "/v1/customers/7",
    targets: {},
  },
];

const isInstalled = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

async function callMs(url: string): Promise<number> {
  const startedAt = performance.now();
  const [response] = (await once(get(url), "response")) as [AsyncIterable<Buffer> & { readonly statusCode?: number }];
  for await (const _ of response) void _;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return performance.now() - startedAt;
}

/** The client of the first call has made calls before. */
async function warmClient(): Promise<void> {
  const server = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  for (let at = 0; at < 20; at += 1) await callMs(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
}

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly residentMB: number;
  readonly firstCallMs: number | undefined;
}

/** Long enough to load what a fake loads in idle time, as in the time between its start and the first call of a person or a test. */
const idleMs = 1_000;

async function startOf({ command, ready, path }: Faker): Promise<Start> {
  const port = await freePort("127.0.0.1");
  const [program, ...args] = command(port);
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await ready(child, port);
    const readyMs = performance.now() - startedAt;
    const pid = child.pid ?? 0;
    const cpuMs = cpuMsOf(pid) ?? 0;
    await wait(idleMs);
    const firstCallMs = path === undefined ? undefined : await callMs(url + path);
    return { readyMs, cpuMs, residentMB: (residentBytesOf([pid]) ?? 0) / 1e6, firstCallMs };
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

function figuresOf({ name, targets }: Faker, starts: readonly Start[]): readonly Figure[] {
  const figure = (of: string, key: keyof Start, unit: string): readonly Figure[] => {
    const values = starts.flatMap((start) => start[key] ?? []);
    if (values.length === 0) return [];
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
    ...peers.filter((peer) => isInstalled(peer.command(0)[0])),
  ];
  await warmClient();
  const starts = fakers.map((): Start[] => []);
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const [at, faker] of fakers.entries()) starts[at]?.push(await startOf(faker));
  }
  return fakers.flatMap((faker, at) => figuresOf(faker, starts[at] ?? []));
}

export const measure: Measure = {
  name: "fake-start",
  title: "how long a fake takes to start, and its memory",
  rounds: 5,
  run,
};
