// The effects of libraries in all tasks of a run, on latency and on the CPU time of both processes.
import { cpuByTurn } from "../comparison/cpu-ratios.ts";
import { coarseVariant, comparableArms, largestCell } from "../comparison/leading-cell.ts";
import { pollsForDueTimes, type Arm, type RunFacts } from "@roundtrip/runs";
import type { ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { libraryEffects, type LibraryEffects } from "./library-effects.ts";

function cellsOf(arms: readonly Arm[]): readonly (readonly Arm[])[] {
  const tasks = Map.groupBy(
    arms.filter(({ load }) => load === undefined),
    ({ study, task }) => JSON.stringify([study, task]),
  );
  return [...tasks.values()].flatMap((ofTask) => {
    const [{ study, task }] = ofTask as [Arm, ...Arm[]];
    return [comparableArms(largestCell(ofTask, study, task, coarseVariant(ofTask, study, task)))];
  });
}

/** Empty unless a style was measured with several libraries. @param turnsOf the mean latencies of each arm */
export function effectsOfRun(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  roundIds: readonly number[],
  turnsOf: ReadonlyMap<string, ValuesByTurn>,
  seed: number,
): readonly LibraryEffects[] {
  return cellsOf(arms).flatMap((cell) => {
    const cpu = (["serverCpuMsPerTask", "clientCpuMsPerTask"] as const)
      .filter((metric) => metric === "serverCpuMsPerTask" || !cell.some(pollsForDueTimes))
      .map((metric) => {
        const turns = cpuByTurn(metric, cell, blocks, roundIds);
        return libraryEffects(cell, metric, (armId) => turns.get(armId) ?? [], seed);
      });
    const latency = libraryEffects(cell, "latencyMs", (armId) => turnsOf.get(armId) ?? [], seed);
    return [latency, ...cpu].filter((effects) => effects !== null);
  });
}
