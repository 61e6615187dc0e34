// Probes a link: a small server at one end, a small client at the other, real TCP between them.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkEnd } from "./link.ts";
import { noDatagrams, type DatagramFacts, type DatagramPlan } from "./loss-check.ts";

export interface PingFacts {
  /** Opening a TCP connection: one round trip. */
  readonly connectMs: number;
  /** Opening a TCP connection, and the first byte and its echo: two round trips. */
  readonly firstExchangeMs: number;
  /** The median of single-byte round trips. */
  readonly rttMs: number;
  /** The fastest of them, which nothing else on the machine delayed. */
  readonly leastRttMs: number;
}

export interface ProbeFacts extends PingFacts {
  /** Requesting {@link bulkBytes} as the first data on a connection and receiving all of them. */
  readonly coldBulkMs: number;
  /** All 0 if no datagrams were to be sent. */
  readonly datagrams: DatagramFacts;
}

/** The larger payload of the WCF study. */
export const bulkBytes = 277_000;

export interface ProbePath {
  readonly client: LinkEnd;
  readonly server: LinkEnd;
  /** Returns the port through which the client reaches a server's port. */
  reach(port: number): Promise<number>;
}

const limitMs = 60_000;
const file = join(import.meta.dirname, `probe-process${extname(import.meta.filename)}`);

/** A process at one end, with its output and its end. */
interface Prober {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Rejects if the process ends before `result` settles. */
  readonly beforeItEnds: <A>(result: Promise<A>) => Promise<A>;
}

function startAt({ enter }: LinkEnd, args: readonly string[]): Prober {
  const [program = "", ...rest] = [...enter, process.execPath, file, ...args];
  const child = spawn(program, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    // Ctrl-C at a terminal reaches its whole process group; the run ends its processes itself.
    detached: true,
  });
  const ended = once(child, "close").then(() => {
    throw new Error(`${program} ended`);
  });
  ended.catch(() => undefined);
  return { child, beforeItEnds: (result) => Promise.race([result, ended]) };
}

/** Pings. Rejects with a RunnerError `link-faulty` if there is no answer, and at once if the signal aborts. */
export function ping(path: ProbePath, signal: AbortSignal): Promise<PingFacts> {
  return ask("ping", path, signal, noDatagrams);
}

/** Pings, transfers the bulk, and sends datagrams. Rejects like {@link ping}. */
export function probe(
  path: ProbePath,
  signal: AbortSignal,
  datagrams: DatagramPlan = noDatagrams,
): Promise<ProbeFacts> {
  return ask("probe", path, signal, datagrams);
}

async function ask<A>(
  role: "ping" | "probe",
  path: ProbePath,
  interrupted: AbortSignal,
  { count, paceHz }: DatagramPlan,
): Promise<A> {
  interrupted.throwIfAborted();
  const { host } = path.server;
  const server = startAt(path.server, ["serve", host]);
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(limitMs)]);
  const firstLine = async ({ child, beforeItEnds }: Prober): Promise<string> => {
    const [line] = (await beforeItEnds(once(createInterface(child.stdout), "line", { signal }))) as [string];
    return line;
  };
  try {
    const [port = 0, udpPort = 0] = (await firstLine(server)).split(" ").map(Number);
    const numbers = [await path.reach(port), udpPort, count, paceHz].map(String);
    const client = startAt(path.client, [role, host, ...numbers]);
    const answer = await firstLine(client).finally(() => client.child.kill("SIGKILL"));
    return JSON.parse(answer) as A;
  } catch (cause) {
    interrupted.throwIfAborted();
    throw new RunnerError("link-faulty", "no packet passes the link", { cause });
  } finally {
    server.child.kill("SIGKILL");
  }
}
