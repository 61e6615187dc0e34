// Searches the capacity of stacks before anything is measured: one at a time, each in its own processes, with short cells.
import type { Capacity, CapacityProbe } from "@roundtrip/analysis";
import type { PlannedArm } from "../study/planned-arm.ts";
import { poisson } from "../pace/poisson.ts";
import { paceOf } from "../pace/load.ts";
import type { ProcessPair } from "../pair/process-pair.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import type { RoundSettings } from "../rounds/round.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { unlessAborted } from "../basics/concurrency.ts";
import { versionlessKey } from "../version/side-by-side-run.ts";
import { armsAtShares, tasksFor } from "./arms-at-shares.ts";
import { callWithoutPause, firstRateHz, verdictOn } from "./call-without-pause.ts";
import { SearchPairs, type SearchPairSettings } from "./search-pairs.ts";
import { searchCapacity } from "./search.ts";

export interface CapacitySettings extends SearchPairSettings {
  readonly onSearch: (arm: PlannedArm) => void;
}

/** The result of a search: the arms to measure instead of those that were searched, and the capacities. */
export interface Capacities {
  readonly arms: readonly PlannedArm[];
  readonly capacities: readonly Capacity[];
}

/** Long enough for a queue of 20 ms to build up at a rate that is a tenth too high. */
const probeMs = 250;
/** What a cell or probe may have however few tasks a block of the study has: some arrivals in a row say nothing about a rate. */
const leastTasks = 5_000;
/** Separates the seeds of probes from those of rounds, which count from 0. */
const searchRound = -3;

interface Probing extends Pick<RoundSettings, "seed"> {
  readonly arm: PlannedArm;
  readonly limitMs: number;
}

async function probeOf(pair: ProcessPair, { arm, limitMs, seed }: Probing, rateHz: number): Promise<CapacityProbe> {
  const tasks = tasksFor(rateHz, probeMs, arm);
  const pace = paceOf({ pacer: poisson({ rateHz }) }, tasks, { seed, round: searchRound, turn: 0 });
  const answer = await pair.ask<BlockAnswer>({ ask: "block", armId: arm.id, tasks, pace });
  return { rateHz, ...verdictOn(answer, limitMs) };
}

/**
 * Cells of callers without pauses if only their rate is wanted: a burst and two that give a rate, of processes that are as warm as in a round. Later
 * cells would be faster, and too much for such processes.
 */
const quickCells = 3;

/** The result for an arm: its rate, and the capacity to report if it is a result of the study. */
interface Found {
  readonly foundHz: number;
  readonly capacity?: Capacity;
}

/** Throws `no-answer` if calls fail, because there is no rate then. */
async function quickly(pair: ProcessPair, arm: PlannedArm): Promise<Found> {
  const seen = await callWithoutPause(pair, arm, quickCells);
  if (seen === undefined) {
    throw new RunnerError("no-answer", `${arm.id}: calls of ${arm.callers} callers at once failed; no number is given`);
  }
  return { foundHz: seen.tasksPerSecond };
}

async function searchAll(
  arms: readonly PlannedArm[],
  searched: SearchPairs,
  settings: CapacitySettings,
): Promise<readonly [PlannedArm, Found][]> {
  const { onSearch, seed } = settings;
  const found: [PlannedArm, Found][] = [];
  for (const started of await searched.start(arms)) {
    let pair = started;
    for (const arm of pair.arms) {
      const { saturation, study, task, style, server, client, stack, title } = arm;
      if (saturation === undefined) continue;
      onSearch(arm);
      const { limitMs } = saturation;
      if (limitMs === undefined) {
        found.push([arm, await quickly(pair, arm)]);
        continue;
      }
      const tried = { ...arm, tasksPerRound: Math.max(leastTasks, arm.tasksPerRound) };
      const probe = async (rateHz: number): Promise<CapacityProbe> => {
        const seen = await probeOf(pair, { arm: tried, limitMs, seed }, rateHz);
        if (seen.p99Ms === null) pair = await searched.alive(pair);
        return seen;
      };
      const closedLoop = await callWithoutPause(pair, tried);
      if (closedLoop === undefined) pair = await searched.alive(pair);
      const { foundHz, limitedBy, probes } = await searchCapacity(firstRateHz(closedLoop), probe);
      const armIds = armsAtShares(arm, saturation, foundHz).map(({ id }) => id);
      const seen = closedLoop === undefined ? {} : { closedLoop };
      const about = { study, task, style, server, client, stack, title };
      const capacity = { ...about, limitMs, foundHz, limitedBy, ...seen, probes, armIds };
      found.push([arm, { foundHz, capacity }]);
    }
  }
  return found;
}

/**
 * Searches the capacity for arms that request it, and returns all arms, with those at their shares. Of two versions, base is searched, and head gets
 * the same rates. Undefined if the signal ended it. Rejects like a round. Its processes are gone in any case.
 */
export async function findCapacities(
  arms: readonly PlannedArm[],
  settings: CapacitySettings,
): Promise<Capacities | undefined> {
  const wanted = arms.filter(
    ({ saturation, configuration: { version } }) => saturation !== undefined && version?.name !== "head",
  );
  if (wanted.length === 0) return { arms, capacities: [] };
  const { signal } = settings;
  const searched = new SearchPairs(settings);
  try {
    const searching = searchAll(wanted, searched, settings);
    if (!(await unlessAborted(searching, signal))) return undefined;
    const found = new Map((await searching).map(([arm, one]) => [versionlessKey(arm), one]));
    const atShares = arms.flatMap((arm) => {
      const one = found.get(versionlessKey(arm));
      return arm.saturation === undefined || one === undefined ? [arm] : armsAtShares(arm, arm.saturation, one.foundHz);
    });
    return { arms: atShares, capacities: [...found.values()].flatMap(({ capacity }) => capacity ?? []) };
  } finally {
    await Promise.all(searched.pairs.map((pair) => pair.stop(signal.aborted)));
  }
}
