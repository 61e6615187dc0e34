// Probes a link: a small server at one end, a small client at the other, real TCP between them.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkEnd } from "./link.ts";
import { noDatagrams, type DatagramFacts, type DatagramPlan } from "./loss-check.ts";

/** What single bytes there and back took. */
export interface PingFacts {
  /** Opening a TCP connection: one round trip. */
  readonly connectMs: number;
  /** Opening a TCP connection, and the first byte there and back: two. */
  readonly firstExchangeMs: number;
  /** Median of single bytes there and back. */
  readonly rttMs: number;
  /** The fastest of them: what nothing else on the machine was in the way of. */
  readonly leastRttMs: number;
}

/** What a probe saw. */
export interface ProbeFacts extends PingFacts {
  /** {@link bulkBytes} as the first data on a connection: requested, and received completely. */
  readonly coldBulkMs: number;
  /** What became of datagrams; all 0 where none were to be sent. */
  readonly datagrams: DatagramFacts;
}

/** The WCF study's larger payload. */
export const bulkBytes = 277_000;

/** Where to probe. */
export interface ProbePath {
  readonly client: LinkEnd;
  readonly server: LinkEnd;
  /** The port at the server's host by which the client gets to the one that a server listens on. */
  reach(port: number): Promise<number>;
}

const limitMs = 60_000;
const file = join(import.meta.dirname, `probe-process${extname(import.meta.filename)}`);

/** A process at one end, with what it prints and its end. */
interface Prober {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Rejects when the process ends before `result` has come. */
  readonly beforeItEnds: <A>(result: Promise<A>) => Promise<A>;
}

function startAt({ enter }: LinkEnd, args: readonly string[]): Prober {
  const [program = "", ...rest] = [...enter, process.execPath, file, ...args];
  const child = spawn(program, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    // Ctrl-C at a terminal reaches all of its group: it is for the run to end its processes.
    detached: true,
  });
  const ended = once(child, "close").then(() => {
    throw new Error(`${program} ended`);
  });
  ended.catch(() => undefined);
  return { child, beforeItEnds: (result) => Promise.race([result, ended]) };
}

/** Pings; rejects with a RunnerError `link-faulty` when nothing comes through, and at once when the signal aborts. */
export function ping(path: ProbePath, signal: AbortSignal): Promise<PingFacts> {
  return ask("ping", path, signal, noDatagrams);
}

/** Pings, moves the bulk, and sends datagrams past whatever carries connections; rejects as {@link ping} does. */
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
    throw new RunnerError("link-faulty", "nothing comes through the link", { cause });
  } finally {
    server.child.kill("SIGKILL");
  }
}
