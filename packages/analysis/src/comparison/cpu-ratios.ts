// Ratios of the CPU time of two stacks, in the client's process and in the server's: which of the two makes a stack slower.
import { ratioOf, type Ratio } from "./comparison.ts";
import { answeredTasks } from "../metrics/answered.ts";
import { hodgesLehmann } from "../statistics/describe-samples.ts";
import { pollsForDueTimes, type Arm, type Block, type RunFacts } from "@roundtrip/runs";
import { comparableArms, leadingCell } from "./leading-cell.ts";
import { simultaneousIntervals } from "../statistics/simultaneous-intervals.ts";
import { pairedLogRatios, type ValuesByTurn } from "../statistics/paired-log-ratio.ts";
import { randomFrom } from "../statistics/random.ts";
import { stackPairs } from "./stack-pairs.ts";
import { turnsOf } from "../calls/tasks-of.ts";

/** CPU time per task of one process of one arm over that of another. */
export interface CpuRatio extends Ratio {
  readonly metric: "serverCpuMsPerTask" | "clientCpuMsPerTask";
  readonly numeratorId: string;
  readonly denominatorId: string;
}

type Cpu = CpuRatio["metric"];

function perTask(block: Block, metric: Cpu): number {
  const spentMs = metric === "serverCpuMsPerTask" ? block.serverCpuMs : block.clientCpuMs;
  return (spentMs ?? Number.NaN) / (answeredTasks(block) ?? Number.NaN);
}

function turnsFor(
  metric: Cpu,
  blocks: readonly Block[],
  roundIds: readonly number[],
  turnOf: ReturnType<typeof turnsOf>,
): ValuesByTurn {
  const byRound = Map.groupBy(blocks, ({ round }) => round);
  return roundIds.map(
    (round) =>
      new Map(
        (byRound.get(round) ?? [])
          .map((block) => [turnOf(block), perTask(block, metric)] as const)
          .filter(([, value]) => Number.isFinite(value)),
      ),
  );
}

/** The CPU time per task of each block by turn, for each of these arms. */
export function cpuByTurn(
  metric: Cpu,
  arms: readonly Arm[],
  blocks: readonly Block[],
  roundIds: readonly number[],
): ReadonlyMap<string, ValuesByTurn> {
  const ofArm = Map.groupBy(blocks, ({ armId }) => armId);
  const turnOf = turnsOf(arms.flatMap(({ id }) => ofArm.get(id) ?? []));
  return new Map(arms.map(({ id }) => [id, turnsFor(metric, ofArm.get(id) ?? [], roundIds, turnOf)]));
}

/** Compares the stacks of the run's leading task, with blocks paired as for latency. Intervals are simultaneous over both processes. */
export function cpuRatios(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  roundIds: readonly number[],
  seed: number,
): readonly CpuRatio[] {
  const cell = comparableArms(leadingCell(arms));
  const rows = (["clientCpuMsPerTask", "serverCpuMsPerTask"] as const).flatMap((metric) => {
    if (metric === "clientCpuMsPerTask" && cell.some(pollsForDueTimes)) return [];
    const turns = cpuByTurn(metric, cell, blocks, roundIds);
    return stackPairs(cell).flatMap(([numerator, denominator]) => {
      const { logRatios } = pairedLogRatios(turns.get(numerator.id) ?? [], turns.get(denominator.id) ?? []);
      const ids = { numeratorId: numerator.id, denominatorId: denominator.id };
      return logRatios.some(Number.isFinite) ? [{ metric, ...ids, logRatios }] : [];
    });
  });
  const intervals = simultaneousIntervals(
    rows.map(({ logRatios }) => logRatios),
    randomFrom(seed, "cpu-ratios"),
  );
  return rows.map(({ logRatios, ...row }, index) => {
    const interval = intervals[index];
    return {
      ...row,
      ...ratioOf(logRatios, interval),
      basis: interval?.basis ?? null,
      hodgesLehmann: Math.exp(hodgesLehmann(logRatios.filter(Number.isFinite))),
    };
  });
}
