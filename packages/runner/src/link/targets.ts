// The network to targets: the time to open a connection, which is one round trip.
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import type { TargetFacts } from "@roundtrip/runs";
import { RunnerError } from "../basics/runner-error.ts";
import { measureLoopback } from "./kinds/loopback.ts";
import type { LinkFacts } from "./link.ts";
import { shownUrl, type Target } from "../study/sources.ts";

const connections = 5;
const connectLimitMs = 5_000;

async function connectMs({ stack, url }: Pick<Target, "stack" | "url">): Promise<number> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const startedAt = performance.now();
  const socket = connect({ host, port: Number(port || (protocol === "https:" ? 443 : 80)), timeout: connectLimitMs });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", () => resolve()).once("error", reject);
      socket.once("timeout", () => reject(new Error(`no connection within ${connectLimitMs / 1000} s`)));
    });
    return performance.now() - startedAt;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunnerError("no-answer", `no answer from the ${stack} target at ${shownUrl(url)}: ${why}`, { cause });
  } finally {
    socket.destroy();
  }
}

/** Opens a few connections to a target, one after the other, and nothing more. Rejects with a RunnerError `no-answer`. */
export async function measureTarget(target: Target): Promise<TargetFacts> {
  const times: number[] = [];
  for (let count = 0; count < connections; count += 1) times.push(await connectMs(target));
  const median = times.toSorted((a, b) => a - b)[Math.floor(connections / 2)] ?? Number.NaN;
  return { stack: target.stack, url: shownUrl(target.url), connectMs: median };
}

function isLoopback({ url }: TargetFacts): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

/** The link of a run: loopback if anything is measured over it, otherwise the network to the farthest target. */
export async function linkOf(targets: readonly TargetFacts[], hasServersHere: boolean): Promise<LinkFacts> {
  if (hasServersHere || targets.every(isLoopback)) return measureLoopback();
  return { kind: "network", rttMs: Math.max(...targets.map((target) => target.connectMs)), mtuBytes: 0 };
}
