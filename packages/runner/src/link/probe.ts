// Probes a link: a small server at one end, a small client at the other, real TCP between them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { RunnerError } from "../runner-error.ts";
import type { LinkEnd } from "./link.ts";

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
  /** {@link bulkBytes} as the first thing on a connection: asked for, and received whole. */
  readonly coldBulkMs: number;
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

function startAt({ enter }: LinkEnd, args: readonly string[]) {
  const [program = "", ...rest] = [...enter, process.execPath, file, ...args];
  return spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NODE_NO_WARNINGS: "1" } });
}

/** Pings; rejects with a RunnerError `link-faulty` when nothing comes through. */
export function ping(path: ProbePath): Promise<PingFacts> {
  return ask("ping", path);
}

/** Pings, and moves the bulk; rejects with a RunnerError `link-faulty` when nothing comes through. */
export function probe(path: ProbePath): Promise<ProbeFacts> {
  return ask("probe", path);
}

async function ask<A>(role: "ping" | "probe", path: ProbePath): Promise<A> {
  const { host } = path.server;
  const server = startAt(path.server, ["serve", host]);
  try {
    const signal = AbortSignal.timeout(limitMs);
    const [port] = (await once(createInterface(server.stdout), "line", { signal })) as [string];
    const client = startAt(path.client, [role, host, String(await path.reach(Number(port)))]);
    let printed = "";
    client.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await once(client, "close", { signal }).finally(() => client.kill("SIGKILL"));
    return JSON.parse(printed) as A;
  } catch (cause) {
    throw new RunnerError("link-faulty", "nothing comes through the link", { cause });
  } finally {
    server.kill("SIGKILL");
  }
}
