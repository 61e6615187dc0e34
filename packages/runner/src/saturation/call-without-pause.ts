// Measures callers without think time: warms processes up under load, and gives the rate at which a search begins.
import type { ClosedLoopCell, CapacityProbe } from "@roundtrip/analysis";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { ProcessPair } from "../pair/process-pair.ts";
import type { BlockAnswer } from "../processes/messages.ts";

/** As long as a probe. */
const cellMs = 200;

/** Code is compiled within some thousands of calls, and processes that take longer are not waited for. */
const usualMostCells = 10;

/** Two cells in a row that differ by less have settled. */
const tolerance = 0.05;

/** Where nothing is known. */
const unknownHz = 100;

/** The part of a pair that is used here. */
type Called = Pick<ProcessPair, "ask" | "serverCpuMs">;

interface Cell {
  readonly facts: ClosedLoopCell;
  readonly isAnswered: boolean;
}

async function cellOf(pair: Called, { id: armId, callers }: PlannedArm, tasks: number): Promise<Cell> {
  const before = await pair.serverCpuMs();
  const { rows, outcomes, elapsedMs, clientUtilisation } = await pair.ask<BlockAnswer>({ ask: "block", armId, tasks });
  const after = await pair.serverCpuMs();
  const serverCpuMsPerTask = before === null || after === null ? null : (after - before) / tasks;
  return {
    facts: { callers, tasksPerSecond: (1_000 * tasks) / elapsedMs, serverCpuMsPerTask, clientUtilisation },
    isAnswered: rows.outcome.every((outcome) => outcomes[outcome] === "OK"),
  };
}

/**
 * The arm's callers begin their next task when the last one has ended, in cells of 200 ms, until two cells in a row agree within 5 %: at most `mostCells`.
 * Gives back the fastest of them; undefined when a call failed.
 */
export async function callWithoutPause(
  pair: Called,
  arm: PlannedArm,
  mostCells: number = usualMostCells,
): Promise<ClosedLoopCell | undefined> {
  let tasks = Math.min(arm.callers, arm.tasksPerRound);
  let last: ClosedLoopCell | undefined;
  let best: ClosedLoopCell | undefined;
  for (let cell = 0; cell < mostCells; cell += 1) {
    const { facts, isAnswered } = await cellOf(pair, arm, tasks);
    if (!isAnswered) return undefined;
    const hasSettled = Math.abs((last?.tasksPerSecond ?? 0) / facts.tasksPerSecond - 1) <= tolerance;
    last = facts;
    // Whatever else goes on makes a cell slower, and none faster. The first is a burst, which shows how many calls a cell needs.
    if (cell > 0 && (best === undefined || facts.tasksPerSecond > best.tasksPerSecond)) best = facts;
    if (hasSettled) break;
    const fitting = Math.ceil((facts.tasksPerSecond * cellMs) / 1_000);
    tasks = Math.min(Math.max(fitting, arm.callers), arm.tasksPerRound);
  }
  return best;
}

/** Half of what callers without pauses got: kept by whatever is not broken, and one doubling below what nothing keeps for long. */
export function firstRateHz(closedLoop: ClosedLoopCell | undefined): number {
  return closedLoop === undefined ? unknownHz : closedLoop.tasksPerSecond / 2;
}

type Probed = Pick<BlockAnswer, "rows" | "outcomes" | "clientUtilisation">;

/** As in measured cells: beyond this, answers wait for the client. */
const mostUtilisation = 0.9;

function p99Of(fromMs: Float64Array, { endedAtMs }: Probed["rows"]): number {
  const sorted = endedAtMs.map((atMs, row) => atMs - (fromMs[row] ?? Number.NaN)).toSorted();
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
}

/** Of response times, from the intended start; infinite when a call failed: what fails is not carried. */
function tailOf({ rows, outcomes }: Probed): number {
  const isAnswered = rows.outcome.every((outcome) => outcomes[outcome] === "OK");
  return isAnswered ? p99Of(rows.intendedAtMs, rows) : Number.POSITIVE_INFINITY;
}

/** A generator this busy measures itself; one that begins late does where, counted from when calls did begin, the limit was kept. */
function isGenerators({ rows, clientUtilisation }: Probed, limitMs: number): boolean {
  return clientUtilisation > mostUtilisation || p99Of(rows.startedAtMs, rows) <= limitMs;
}

/** Of a block at some rate. @param limitMs what one call in a hundred may take, from when it was to begin. */
export function verdictOn(answer: Probed, limitMs: number): Omit<CapacityProbe, "rateHz"> {
  const { clientUtilisation } = answer;
  const tailMs = tailOf(answer);
  const isKept = tailMs <= limitMs && clientUtilisation <= mostUtilisation;
  const verdict = isKept ? "kept" : Number.isFinite(tailMs) && isGenerators(answer, limitMs) ? "generator" : "latency";
  return { p99Ms: Number.isFinite(tailMs) ? tailMs : null, clientUtilisation, verdict };
}
