// Has instances of k6 on this machine do a plan: they begin together, are followed to the last cell, and are gone when it resolves.
import { statfs } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { K6Error } from "../k6-error.ts";
import { exportFiles } from "../export/export-files.ts";
import { writeExport } from "../export/write-export.ts";
import type { K6Program } from "../instances/find-k6.ts";
import type { InstanceEnd } from "../instances/instance.ts";
import { Instances } from "../instances/instances.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { readResults, type Results } from "../results/read-results.ts";
import { watchCells, type WatchedCell } from "./cell-watch.ts";
import { noBooks, type CellBooks } from "./log-round.ts";
import { faultOfRoom } from "./room-for-samples.ts";

export interface PlanToDo {
  readonly plan: K6Plan;
  /** The contract's descriptor set. */
  readonly contract: Uint8Array;
  readonly k6: K6Program;
  readonly instances: number;
  /** The core for all instances; left to the kernel without one. */
  readonly core: number | undefined;
  /** Addresses of servers by the plan's variables. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The plan's cells, in its order. */
  readonly cells: readonly WatchedCell[];
  /** Asked at the begin of each cell, by its place; false ends the plan there. */
  readonly mayBegin: (cell: number) => boolean;
  /** Hears where everything is that k6 wrote, before it is gone; undefined where nobody wants more than calls. */
  readonly onResults: ((plan: K6Plan, files: readonly string[]) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

export interface DonePlan {
  /** What was told, of all that was begun. */
  readonly results: Results;
  readonly books: ReadonlyMap<number, CellBooks>;
  /** False where it was ended early, by the signal or for want of time. */
  readonly isWhole: boolean;
  /** The first instance that ended though nobody had asked it to. */
  readonly failed: (InstanceEnd & { readonly label: string }) | undefined;
}

/** Virtual users and their clients are made before an instance is ready. */
const readyLimitMs = 120_000;
/** How long instances may go on after their last cell. */
const endLimitMs = 10_000;
/** k6 writes every second, whatever its virtual users wait for: who is silent for longer does nothing any more. */
const silenceLimitMs = 6_000;

function withoutCpu(books: ReadonlyMap<number, CellBooks>): ReadonlyMap<number, CellBooks> {
  return new Map([...books.keys()].map((cell) => [cell, noBooks]));
}

/** Throws a K6Error `instance-failed` where the samples of a plan would fill the disk: like an instance that does not start, this may come in any round. */
async function requireRoom(plan: K6Plan): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const fault = faultOfRoom(plan, tmpdir(), bavail * bsize);
  if (fault !== undefined) throw new K6Error("instance-failed", fault);
}

/** Rejects with a K6Error `instance-failed` where there is no room for samples, and where instances do not become ready. */
export async function doPlan(todo: PlanToDo): Promise<DonePlan> {
  const { plan, contract, k6, instances: count, core, addresses, cells, signal } = todo;
  // First, because it reports where temporary files cannot be written.
  using temporary = temporaryFolder("k6");
  await requireRoom(plan);
  const folder = temporary.path;
  const script = join(folder, "script");
  // It stays for a moment after its last cell: whoever has gone cannot be asked what it cost.
  const env = { ...addresses, PREPARED: "1", STAY: "1", K6_VERSION: k6.version };
  const all = new Instances({
    k6,
    script: join(script, "script.js"),
    folder,
    home: folder,
    env,
    core,
    count,
    readyLimitMs,
  });
  const over = new AbortController();
  const onAbort = (): void => void all.stop().then(() => over.abort());
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await writeExport(script, exportFiles({ plans: [plan], contract, protoFiles: [] }));
    if (!signal.aborted) await all.start();
    if (signal.aborted)
      return { results: { rounds: [], warnings: [] }, books: new Map(), isWhole: false, failed: undefined };
    const t0Ms = await all.resume();
    void all.settled().then(() => over.abort());
    // The watch goes by the plan's clock and asks k6 nothing, which would answer with the core that it measures on: what it writes is looked at between cells.
    const mayBegin = (cell: number): boolean => !all.noteSilence(silenceLimitMs) && todo.mayBegin(cell);
    const cores = core === undefined ? availableParallelism() : 1;
    const { books, isWhole } = await watchCells({ cells, t0Ms, pids: all.pids, cores, mayBegin, signal: over.signal });
    if (isWhole) {
      await Promise.race([all.settled(), sleep(endLimitMs, undefined, { ref: false })]);
      all.noteSilence(silenceLimitMs);
    }
    const failed = signal.aborted ? undefined : all.failed;
    // They write what they know when they are asked to end.
    await all.stop();
    await todo.onResults?.(plan, all.files);
    const results = await readResults(all.files, [plan], failed !== undefined || !isWhole || signal.aborted);
    return {
      results,
      // Who began at another moment than was foreseen had other moments of begin and end.
      books: results.rounds.every((round) => round.t0Ms === t0Ms) ? books : withoutCpu(books),
      isWhole: isWhole && !signal.aborted,
      failed: failed && { ...failed.end, label: failed.instance.label },
    };
  } finally {
    signal.removeEventListener("abort", onAbort);
    await all.stop(0);
  }
}
