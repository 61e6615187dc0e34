// The arms that result from a capacity search: one task at shares of its stack's capacity.
import type { PlannedArm } from "../study/planned-arm.ts";
import { factorText } from "../study/configuration.ts";
import { factorsOfLoad, factsOfLoad, type Load } from "../pace/load.ts";
import { poisson } from "../pace/pacers.ts";
import type { SaturationSearch } from "../study/study.ts";

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
