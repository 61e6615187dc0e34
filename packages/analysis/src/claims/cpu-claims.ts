// Whether a style's client or its server makes it slower than the fastest, by the CPU time of both.
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { styleReferences } from "../comparison/stack-pairs.ts";
import type { CpuRatio } from "../comparison/cpu-ratios.ts";
import type { Arm } from "@roundtrip/runs";
import { strengthOfClaim, type CpuClaim } from "./claim.ts";
import type { Evidence } from "./evidence.ts";
import { ranked } from "./ratio-claims.ts";

/** Extra CPU time explains a difference of latency if it is at least this share of it. */
const explains = 1 / 2;

/** A process causes the difference if it has at least this share of it. */
const most = 2 / 3;

function isAbove({ low }: CpuRatio): boolean {
  return low !== null && low > 1;
}

/** The client's share of the extra CPU time; null when that is too little to explain the latency. */
function clientShare(slower: Arm, fastest: Arm, evidence: Evidence): number | null {
  const more = (metric: CpuRatio["metric"] | "latencyMs"): number =>
    (evidence.summary(slower.id, metric)?.mean ?? 0) - (evidence.summary(fastest.id, metric)?.mean ?? 0);
  const [clientMs, serverMs] = [more("clientCpuMsPerTask"), more("serverCpuMsPerTask")];
  if (clientMs + serverMs <= explains * Math.max(0, more("latencyMs"))) return null;
  return clientMs / (clientMs + serverMs);
}

function causeOf(share: number | null, client: CpuRatio, server: CpuRatio): CpuClaim["cause"] {
  if (share === null) return null;
  if (share >= most) return isAbove(client) ? "client" : null;
  if (share <= 1 - most) return isAbove(server) ? "server" : null;
  return isAbove(client) && isAbove(server) ? "both" : null;
}

/** One claim for each style that is clearly slower than the fastest. */
export function ofCpu(cell: Cell, evidence: Evidence): readonly CpuClaim[] {
  const [fastest, ...others] = ranked(styleReferences(comparableArms(cell)), evidence);
  if (fastest === undefined) return [];
  return others.flatMap((slower): readonly CpuClaim[] => {
    const latency = evidence.comparison(slower.id, fastest.id);
    const client = evidence.cpuRatio("clientCpuMsPerTask", slower.id, fastest.id);
    const server = evidence.cpuRatio("serverCpuMsPerTask", slower.id, fastest.id);
    if (latency?.verdict !== "different" || client === undefined || server === undefined) return [];
    const cause = causeOf(clientShare(slower, fastest, evidence), client, server);
    const strength = cause === null ? "open" : strengthOfClaim(client, server, latency);
    const armIds = [slower.id, fastest.id];
    return [{ kind: "cpu", study: cell.study, task: cell.task, strength, armIds, client, server, cause }];
  });
}
