// What the run's own books say of each cell while k6 does it: processor time of servers and of k6, read at the moments when the plan says that a cell begins and
// ends. Between them nobody calls, so that a moment too early or too late costs nothing.
import { cpuMsOf, type Pair } from "@roundtrip/runner/parts";
import { setTimeout as sleep } from "node:timers/promises";
import type { K6Cell } from "../plan/k6-plan.ts";
import type { CellBooks } from "./log-round.ts";

export interface WatchedCell {
  readonly cell: K6Cell;
  readonly pair: Pair;
}

export interface CellWatchOptions {
  readonly cells: readonly WatchedCell[];
  readonly t0Ms: number;
  /** The processes of k6. */
  readonly pids: readonly number[];
  /** How many cores they share. */
  readonly cores: number;
  /** Asked at the begin of each cell: whether it is still wanted. */
  readonly mayBegin: (index: number) => boolean;
  /** Ends the watch at once. */
  readonly signal: AbortSignal;
}

/** Beside a moment of the plan, on the side where nothing happens. */
const besideMs = 3;

/** Of all processes together; null when one has gone. */
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
 * Follows the cells to the end of the last. Resolves to their books, by their place; a cell has none that was not wanted, or whose server had gone before it
 * began. `isWhole` is false where one was not wanted.
 */
export async function watchCells({
  cells,
  t0Ms,
  pids,
  cores,
  mayBegin,
  signal,
}: CellWatchOptions): Promise<{ readonly books: ReadonlyMap<number, CellBooks>; readonly isWhole: boolean }> {
  const books = new Map<number, CellBooks>();
  const until = async (ms: number): Promise<void> => {
    const leftMs = t0Ms + ms - Date.now();
    if (leftMs > 0) await sleep(leftMs, undefined, { signal }).catch(() => undefined);
  };
  for (const [index, { cell, pair }] of cells.entries()) {
    const { beginsMs, mostMs } = cell;
    await until(beginsMs - besideMs);
    if (signal.aborted) break;
    if (!mayBegin(index)) return { books, isWhole: false };
    const isThere = (await pair.lostEnd(0)) === undefined;
    await pair.watch();
    const [server, client] = [await pair.serverCpuMs(), cpuOfAll(pids)];
    await until(beginsMs + mostMs - besideMs);
    const serverCpuMs = between(server, await pair.serverCpuMs());
    const ms = between(client, cpuOfAll(pids));
    const evidence = await pair.watched();
    if (isThere) books.set(index, { serverCpuMs, clientCpu: ms === null ? null : { ms, cores }, server: evidence });
  }
  return { books, isWhole: true };
}
