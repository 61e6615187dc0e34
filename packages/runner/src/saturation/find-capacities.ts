// Searches the capacity of stacks before anything is measured: one at a time, each in its own processes, with short cells.
import type { Capacity, CapacityProbe } from "@roundtrip/runs";
import { unlessAborted } from "../basics/concurrency.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { factorsOfLoad, factsOfLoad, type Load, paceOf } from "../pace/load.ts";
import { poisson } from "../pace/pacers.ts";
import type { Placement } from "../processes/cores.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import { preparePart } from "../rounds/prepare-part.ts";
import { ProcessPair } from "../rounds/process-pair.ts";
import type { RoundSettings } from "../rounds/round.ts";
import { versionlessKey } from "../rounds/run-rounds.ts";
import { RoundLog } from "../run-directory/round-log.ts";
import { callWithoutPause, firstRateHz, searchCapacity, verdictOn } from "./search.ts";
import { factorText } from "../study/configuration.ts";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { SaturationSearch } from "../study/study.ts";

export interface SearchPairSettings extends RoundSettings {
  readonly placement: Placement;
}

/** Starts a pair for each configuration. They are added to `pairs` before anything can fail, so that they can be ended. */
async function startPairs(
  arms: readonly PlannedArm[],
  settings: SearchPairSettings,
  pairs: ProcessPair[],
): Promise<void> {
  for (const [first, ...others] of Map.groupBy(arms, ({ configuration }) => configuration.id).values()) {
    if (first !== undefined) pairs.push(new ProcessPair(first.configuration, [first, ...others], settings));
  }
  await preparePart(pairs, settings, { round: 0, arms, placement: settings.placement }, new RoundLog(0, 0));
}

/** The minimum, however few arrive in the time of a block. */
const fewestTasks = 20;

const significantDigits = 3;

/** The number of tasks that arrive at this rate during a block, up to the limit of the arm. */
export function tasksFor(
  rateHz: number,
  blockMs: number,
  { tasksPerRound }: Pick<PlannedArm, "tasksPerRound">,
): number {
  return Math.min(Math.max(fewestTasks, Math.ceil((rateHz * blockMs) / 1_000)), tasksPerRound);
}

/** The name of the rate in results: the rate itself if the study searches with a limit, else the share, which is the same in every run. */
function namedRate({ limitMs }: SaturationSearch, share: number, rateHz: number): Readonly<Record<string, number>> {
  return limitMs === undefined ? { capacityShare: share } : { rateHz };
}

/** Gaps are the same multiples of their mean at every share and on every stack, so that only the rate differs. */
export function armsAtShares(searched: PlannedArm, search: SaturationSearch, foundHz: number): readonly PlannedArm[] {
  const { saturation: _, ...arm } = searched;
  const { shares, blockMs } = search;
  return shares.map((share): PlannedArm => {
    const rateHz = Number((share * foundHz).toPrecision(significantDigits));
    const load: Load = { pacer: poisson({ rateHz }) };
    const tasks = tasksFor(rateHz, blockMs, arm);
    const { rateHz: _rate, ...ofLoad } = factorsOfLoad(load, arm.callers);
    const named = namedRate(search, share, rateHz);
    return {
      ...arm,
      id: `${arm.id}${factorText(named)}`,
      factors: { ...arm.factors, ...ofLoad, ...named },
      // The same share on every stack, because their answers are compared.
      answerKey: `${arm.answerKey}/share=${share}`,
      load: factsOfLoad(load),
      pacing: load,
      tasksPerRound: tasks,
      tasksPerBlock: tasks,
    };
  });
}

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
  pairs: ProcessPair[],
  settings: CapacitySettings,
): Promise<readonly [PlannedArm, Found][]> {
  const { onSearch, seed } = settings;
  const found: [PlannedArm, Found][] = [];
  await startPairs(arms, settings, pairs);
  for (const pair of pairs) {
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
      const probe = (rateHz: number): Promise<CapacityProbe> => probeOf(pair, { arm: tried, limitMs, seed }, rateHz);
      const closedLoop = await callWithoutPause(pair, tried);
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
  const pairs: ProcessPair[] = [];
  try {
    const searching = searchAll(wanted, pairs, settings);
    if (!(await unlessAborted(searching, signal))) return undefined;
    const found = new Map((await searching).map(([arm, capacity]) => [versionlessKey(arm), capacity]));
    const atShares = arms.flatMap((arm) => {
      const ofArm = found.get(versionlessKey(arm));
      return arm.saturation === undefined || ofArm === undefined
        ? [arm]
        : armsAtShares(arm, arm.saturation, ofArm.foundHz);
    });
    return { arms: atShares, capacities: [...found.values()].flatMap(({ capacity }) => capacity ?? []) };
  } finally {
    await Promise.all(pairs.map((pair) => pair.stop(signal.aborted)));
  }
}
