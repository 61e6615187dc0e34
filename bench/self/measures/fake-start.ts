// How quickly a fake is there, and how much memory it takes.
import { cpuMsOf, residentBytesOf } from "@roundtrip/runner/parts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { type Figure, median, type Measure, type MeasureOptions } from "../measure.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const roundtrip = join(root, "packages", "cli", "bin", "roundtrip.js");

/** A fake of the built-in contract or another one. */
interface Faker {
  readonly name: string;
  readonly args: readonly string[];
  /** Of a first call; undefined where none is known. */
  readonly path: string | undefined;
  readonly mostReadyMs: number;
}

function fakerOf(contract: string | undefined): Faker {
  return {
    name: contract ?? "built-in contract",
    args: ["fake", "--port", "0", "--json", "--no-config", ...(contract === undefined ? [] : ["--contract", contract])],
    path: contract === undefined ? "/v1/customers/7" : undefined,
    mostReadyMs: contract === undefined ? 500 : 700,
  };
}

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

async function startOf({ args, path }: Faker): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [roundtrip, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const readyMs = performance.now() - startedAt;
    const url = (JSON.parse(line) as Readonly<Record<string, string>>)["rest-express"] ?? "";
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

function figuresOf({ name, mostReadyMs }: Faker, starts: readonly Start[]): readonly Figure[] {
  const figure = (of: string, key: keyof Start, unit: string, atMost?: number): readonly Figure[] => {
    const values = starts.flatMap((start) => start[key] ?? []);
    if (values.length === 0) return [];
    return [{ of: `${name}: ${of}`, value: median(values), interval: null, unit, atMost }];
  };
  return [
    ...figure("ready", "readyMs", "ms", mostReadyMs),
    ...figure("CPU until then", "cpuMs", "ms"),
    ...figure("memory after the first call", "residentMB", "MB", 110),
    ...figure("first call", "firstCallMs", "ms", 30),
  ];
}

async function run({ rounds, only, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const contracts = only.length > 0 ? only : [join(root, "proto")];
  const fakers = [undefined, ...contracts].map(fakerOf);
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
