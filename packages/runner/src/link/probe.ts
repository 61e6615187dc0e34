// Probes a link: a small server at one end, a small client at the other, real TCP between them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { RunnerError } from "../runner-error.ts";
import type { LinkEnd } from "./link.ts";

/** What a probe saw. */
export interface ProbeFacts {
  /** Opening a TCP connection: one round trip. */
  readonly connectMs: number;
  /** Median of single bytes there and back. */
  readonly rttMs: number;
  /** {@link bulkBytes} as the first thing on a connection: asked for, and received whole. */
  readonly coldBulkMs: number;
}

/** The WCF study's larger payload. */
export const bulkBytes = 277_000;

const limitMs = 60_000;
const file = join(import.meta.dirname, `probe-process${extname(import.meta.filename)}`);

function startAt({ enter }: LinkEnd, args: readonly string[]) {
  const [program = "", ...rest] = [...enter, process.execPath, file, ...args];
  return spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NODE_NO_WARNINGS: "1" } });
}

/** Rejects with a RunnerError `link-faulty` when nothing comes through. */
export async function probe(ends: { readonly client: LinkEnd; readonly server: LinkEnd }): Promise<ProbeFacts> {
  const server = startAt(ends.server, ["serve", ends.server.host]);
  try {
    const signal = AbortSignal.timeout(limitMs);
    const [port] = (await once(createInterface(server.stdout), "line", { signal })) as [string];
    const client = startAt(ends.client, ["probe", ends.server.host, port]);
    let printed = "";
    client.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await once(client, "close", { signal }).finally(() => client.kill("SIGKILL"));
    return JSON.parse(printed) as ProbeFacts;
  } catch (cause) {
    throw new RunnerError("link-faulty", "nothing comes through the link", { cause });
  } finally {
    server.kill("SIGKILL");
  }
}
