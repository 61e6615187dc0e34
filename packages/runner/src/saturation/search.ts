// Searches the capacity: callers without think time warm processes up and give the first rate, which is doubled until the server no longer keeps up,
// then bisected. The calls of the search are dropped.
import type { CapacityProbe, ClosedLoopCell } from "@roundtrip/runs";
import type { BlockAnswer } from "../processes/messages.ts";
import type { ProcessPair } from "../rounds/process-pair.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

/** As long as a probe. */
const cellMs = 200;

/** Code is compiled within some thousands of calls; processes that need longer are not waited for. */
const usualMostCells = 10;

/** Two consecutive cells that differ by less have settled. */
const tolerance = 0.05;

/** Used if no rate is known. */
const unknownHz = 100;

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
 * The arm's callers begin their next task when the last one has ended, in cells of 200 ms, until two consecutive cells agree within 5 %: at most
 * `mostCells`. Returns the fastest; undefined if a call failed.
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
    // Other activity only makes a cell slower. The first cell is a burst, which shows how many calls a cell needs.
    if (cell > 0 && (best === undefined || facts.tasksPerSecond > best.tasksPerSecond)) best = facts;
    if (hasSettled) break;
    const fitting = Math.ceil((facts.tasksPerSecond * cellMs) / 1_000);
    tasks = Math.min(Math.max(fitting, arm.callers), arm.tasksPerRound);
  }
  return best;
}

/** Half the rate of callers without pauses: a working server carries it, and one doubling leads to a rate that none carries for long. */
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

/** Of response times, from the intended start; infinite if a call failed, because a failing rate is not carried. */
function tailOf({ rows, outcomes }: Probed): number {
  const isAnswered = rows.outcome.every((outcome) => outcomes[outcome] === "OK");
  return isAnswered ? p99Of(rows.intendedAtMs, rows) : Number.POSITIVE_INFINITY;
}

/** Whether the generator is the limit: it is too busy, or it begins late, and calls are within the limit when counted from their actual start. */
function isGenerators({ rows, clientUtilisation }: Probed, limitMs: number): boolean {
  return clientUtilisation > mostUtilisation || p99Of(rows.startedAtMs, rows) <= limitMs;
}

/** The verdict on a block at some rate. @param limitMs the limit for 99 % of calls, from their intended start. */
export function verdictOn(answer: Probed, limitMs: number): Omit<CapacityProbe, "rateHz"> {
  const { clientUtilisation } = answer;
  const tailMs = tailOf(answer);
  const isKept = tailMs <= limitMs && clientUtilisation <= mostUtilisation;
  const verdict = isKept ? "kept" : Number.isFinite(tailMs) && isGenerators(answer, limitMs) ? "generator" : "latency";
  return { p99Ms: Number.isFinite(tailMs) ? tailMs : null, clientUtilisation, verdict };
}

/** Beyond these a search ends: far below the rate of callers without pauses, it would find other work of the machine. */
const mostDoublings = 8;
const mostHalvings = 2;
/** A rate is too high after this many failed attempts in a row, because one disturbance is not a limit. Processes are warm during a search. */
const attempts = 2;
/** Each halves the range between the highest passed and the lowest failed rate, on a logarithmic scale: 9 % of a doubling remain. */
const bisections = 3;

/** The highest rate that passed, or the lowest tried if none did. */
export interface Found {
  readonly foundHz: number;
  /** Why no higher rate passed: calls took too long, the generator was too busy, or the search limit was reached. */
  readonly limitedBy: CapacityProbe["verdict"];
  readonly probes: readonly CapacityProbe[];
}

/** Doubles, then bisects: at most 8 doublings, 2 halvings and 3 bisections, each with at most two probes. */
export async function searchCapacity(
  fromHz: number,
  probe: (rateHz: number) => Promise<CapacityProbe>,
): Promise<Found> {
  const probes: CapacityProbe[] = [];
  let limitedBy: Found["limitedBy"] = "kept";
  const keeps = async (rateHz: number): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const seen = await probe(rateHz);
      probes.push(seen);
      if (seen.verdict === "kept") return true;
      limitedBy = seen.verdict;
    }
    return false;
  };
  let [kept, exceeded] = [0, Number.POSITIVE_INFINITY];
  let rateHz = fromHz;
  for (let step = 0; step <= mostDoublings && exceeded === Number.POSITIVE_INFINITY; step += 1, rateHz *= 2) {
    if (await keeps(rateHz)) kept = rateHz;
    else exceeded = rateHz;
  }
  for (let step = 0; step < mostHalvings && kept === 0; step += 1) {
    if (await keeps(exceeded / 2)) kept = exceeded / 2;
    else exceeded /= 2;
  }
  for (let step = 0; step < bisections && kept > 0 && exceeded < Number.POSITIVE_INFINITY; step += 1) {
    const between = Math.sqrt(kept * exceeded);
    if (await keeps(between)) kept = between;
    else exceeded = between;
  }
  return { foundHz: kept > 0 ? kept : exceeded, limitedBy, probes };
}
