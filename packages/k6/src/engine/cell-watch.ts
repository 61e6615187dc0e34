// Measures the CPU time of the servers and of k6 in each cell. It reads the counters when the plan says that a cell begins
// and ends. No calls are made between cells, so reading them slightly early or late has no effect.
import { cpuMsOf, type ProcessPair } from "@roundtrip/runner/parts";
import { setTimeout as sleep } from "node:timers/promises";
import type { K6Cell } from "../plan/k6-plan.ts";
import { noEvidence, type CellUsage } from "./log-round.ts";

export interface WatchedCell {
  readonly cell: K6Cell;
  readonly pair: Pick<ProcessPair, "endedProcess" | "watch" | "serverCpuMs" | "watched">;
}

export interface CellWatchOptions {
  readonly cells: readonly WatchedCell[];
  readonly t0Ms: number;
  /** The processes of k6. */
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
