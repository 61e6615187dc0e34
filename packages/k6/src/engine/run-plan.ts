// Runs a plan with instances of k6 on this machine. They begin together and have ended when it resolves.
import { cpuMsOf, type ProcessPair } from "@roundtrip/runner/parts";
import { setTimeout as sleep } from "node:timers/promises";
import type { K6Cell, K6Plan } from "../plan/k6-plan.ts";
import { type CellUsage, noEvidence } from "./log-round.ts";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { exportFiles, writeExport } from "../export/export-files.ts";
import type { K6Program } from "../instances/find-k6.ts";
import type { InstanceEnd } from "../instances/instance.ts";
import { Instances } from "../instances/instances.ts";
import { readResults, type Results } from "../results/read-results.ts";

export interface WatchedCell {
  readonly cell: K6Cell;
  readonly pair: Pick<ProcessPair, "endedProcess" | "watch" | "serverCpuMs" | "watched">;
}

export interface CellWatchOptions {
  readonly cells: readonly WatchedCell[];
  readonly t0Ms: number;
  readonly pids: readonly number[];
  /** How many cores they share. */
  readonly cores: number;
  /** Called at the begin of each cell; false ends the watch. */
  readonly mayBegin: (index: number) => boolean;
  /** Ends the watch at once. */
  readonly signal: AbortSignal;
}

/** How long before a cell's begin or end the counters are read, while no calls are made. */
const besideMs = 3;

/** A share of a cell: counters that a busy machine has read later than that after its begin have missed calls. */
const mostLate = 0.01;

/** The CPU time of all processes; null when one of them has ended. */
function cpuOfAll(pids: readonly number[]): number | null {
  let sum = 0;
  for (const pid of pids) {
    const ms = cpuMsOf(pid);
    if (ms === undefined) return null;
    sum += ms;
  }
  return sum;
}

function between(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.max(after - before, 0);
}

/**
 * Follows the cells to the end of the last one. Resolves to their evidence by index. A cell that was refused, or whose server had ended before it began,
 * has none; its CPU times are null if the counters were read too late. `isWhole` is false if `mayBegin` refused a cell.
 */
export async function watchCells({
  cells,
  t0Ms,
  pids,
  cores,
  mayBegin,
  signal,
}: CellWatchOptions): Promise<{ readonly evidence: ReadonlyMap<number, CellUsage>; readonly isWhole: boolean }> {
  const evidence = new Map<number, CellUsage>();
  const until = async (ms: number): Promise<void> => {
    const leftMs = t0Ms + ms - Date.now();
    if (leftMs > 0) await sleep(leftMs, undefined, { signal }).catch(() => undefined);
  };
  const isAfter = (ms: number): boolean => Date.now() > t0Ms + ms;
  for (const [index, { cell, pair }] of cells.entries()) {
    const { beginsMs, mostMs } = cell;
    await until(beginsMs - besideMs);
    if (signal.aborted) break;
    if (!mayBegin(index)) return { evidence, isWhole: false };
    const isThere = (await pair.endedProcess(0)) === undefined;
    await pair.watch();
    const [serverBefore, clientBefore] = [await pair.serverCpuMs(), cpuOfAll(pids)];
    const isLate = isAfter(beginsMs + mostLate * mostMs);
    await until(beginsMs + mostMs - besideMs);
    const serverCpuMs = between(serverBefore, await pair.serverCpuMs());
    const ms = between(clientBefore, cpuOfAll(pids));
    const clientCpu = ms === null ? null : { ms, cores };
    const server = await pair.watched();
    const hasOthers = isAfter(cells[index + 1]?.cell.beginsMs ?? Number.POSITIVE_INFINITY);
    if (isThere) evidence.set(index, isLate || hasOthers ? noEvidence : { serverCpuMs, clientCpu, server });
  }
  return { evidence, isWhole: true };
}

export interface RunPlanOptions {
  readonly plan: K6Plan;
  /** The contract's descriptor set. */
  readonly contract: Uint8Array;
  readonly k6: K6Program;
  readonly instances: number;
  /** The core for all instances; undefined lets the kernel choose. */
  readonly core: number | undefined;
  /** Addresses of servers by the plan's variables. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Of servers over TLS, in PEM, beside those of the machine; undefined for none. */
  readonly certificateAuthority: string | undefined;
  readonly cells: readonly WatchedCell[];
  /** Called with a cell's index when it begins; false ends the plan. */
  readonly mayBegin: (cell: number) => boolean;
  readonly signal: AbortSignal;
}

export interface PlanResult {
  readonly results: Results;
  readonly evidence: ReadonlyMap<number, CellUsage>;
  /** False if the plan ended early, because of the signal or a lack of time. */
  readonly isWhole: boolean;
  /** The first instance that ended by itself. */
  readonly failed: InstanceEnd | undefined;
}

/** Virtual users and their clients are made before an instance is ready. */
const readyLimitMs = 120_000;
/** How long instances may go on after their last cell. */
const endLimitMs = 10_000;

/** Lets all instances begin and follows them to the end of the last cell, or until `signal` ends the watch. */
async function watchInstances(
  all: Instances,
  { core, cells, mayBegin }: RunPlanOptions,
  signal: AbortSignal,
): ReturnType<typeof watchCells> {
  const t0Ms = await all.resume();
  const watched = await watchCells({
    cells,
    t0Ms,
    pids: all.pids,
    cores: core === undefined ? availableParallelism() : 1,
    // The watch follows the plan's clock and sends k6 no requests, because k6 would answer them on the core that it measures with.
    mayBegin,
    signal,
  });
  if (watched.isWhole) await Promise.race([all.settled(), sleep(endLimitMs, undefined, { ref: false })]);
  return watched;
}

/** What k6 needs to call targets: the bearer tokens, by their variables, and the certificate authority. */
function accessTo(
  { servers }: K6Plan,
  certificateAuthority: string | undefined,
  folder: string,
): Readonly<Record<string, string>> {
  const tokens = servers.flatMap(({ token }) => (token === undefined ? [] : [[token, process.env[token] ?? ""]]));
  if (certificateAuthority === undefined) return Object.fromEntries(tokens);
  const file = join(folder, "ca.pem");
  writeFileSync(file, certificateAuthority);
  return Object.fromEntries([...tokens, ["SSL_CERT_FILE", file]]);
}

/** Rejects with a K6Error `instance-failed` if instances do not become ready. */
export async function runPlan(options: RunPlanOptions): Promise<PlanResult> {
  const { plan, contract, k6, instances: count, core, addresses, signal } = options;
  // First, because it reports where temporary files cannot be written.
  using temporary = temporaryFolder("k6");
  const folder = temporary.path;
  const script = join(folder, "script");
  // STAY keeps the process for a moment after its last cell: the CPU time of an ended process cannot be read.
  const env = { ...addresses, PREPARED: "1", STAY: "1", K6_VERSION: k6.version };
  const secrets = accessTo(plan, options.certificateAuthority, folder);
  const common = { k6, script: join(script, "script.js"), folder, home: folder, env, secrets };
  const all = new Instances({ ...common, core, count, readyLimitMs });
  const over = new AbortController();
  const onAbort = (): void => void all.stop().then(() => over.abort());
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await writeExport(script, exportFiles({ plans: [plan], contract }));
    if (!signal.aborted) await all.start();
    if (signal.aborted)
      return { results: { rounds: [], cuts: [] }, evidence: new Map(), isWhole: false, failed: undefined };
    void all.settled().then(() => over.abort());
    const { evidence, isWhole } = await watchInstances(all, options, over.signal);
    const failed = signal.aborted ? undefined : all.failed;
    // Instances flush their results when they are asked to end.
    await all.stop();
    const results = await readResults(all.files, [plan], failed !== undefined || !isWhole || signal.aborted);
    return {
      results,
      evidence,
      isWhole: isWhole && !signal.aborted,
      failed,
    };
  } finally {
    signal.removeEventListener("abort", onAbort);
    await all.stop(0);
  }
}
