// How much load a stack carries while one call in a hundred takes no longer than a limit: told from its rates round by round.
import { sortedLatencies } from "../metrics/block-values.ts";
import { quantile } from "../statistics/describe-samples.ts";
import { orderStatisticInterval } from "../statistics/order-statistic-interval.ts";
import { crossingHz, type TimeAtRate } from "./crossing-rate.ts";
import type { LateTail } from "../late-tail.ts";
import type { VoidCell } from "../void-cell.ts";
import type { Arm, Capacity, RunFacts } from "../run.ts";
import type { ArmTasks } from "../tasks-of.ts";

/** Arrivals a second. */
export interface CarriedLoad {
  readonly study: string;
  readonly task: string;
  readonly stack: string;
  readonly title: string;
  readonly limitMs: number;
  /**
   * `measured`: the median over rounds of the rate at which p99 crosses the limit. `at-least`: it did not in half of them, and the rate is the highest
   * that was measured. `less-than`: p99 was above the limit at the lowest that was. `void`: no load was kept, so that nothing is known.
   */
  readonly kind: "measured" | "at-least" | "less-than" | "void";
  /** 0 where nothing is known. */
  readonly rateHz: number;
  /** 95 % interval of the median by order statistics; null with too few rounds, and at an end where the crossing is beyond all rates. */
  readonly low: number | null;
  readonly high: number | null;
  /** Whether nothing could be told of higher rates because the generator, and not the server, had no time left there. */
  readonly isGeneratorLimit: boolean;
  readonly rounds: number;
  /** From low to high. */
  readonly armIds: readonly string[];
}

interface Rate {
  readonly arm: Arm;
  readonly rateHz: number;
  readonly done: ArmTasks;
}

/** The crossing of each round in which every rate was measured. */
function crossings(rates: readonly Rate[], limitMs: number): readonly number[] {
  const rounds = new Set(rates.flatMap(({ done }) => done.blocks.map(({ round }) => round)));
  return [...rounds].flatMap((round): readonly number[] => {
    const points = rates.flatMap(({ rateHz, done }): readonly TimeAtRate[] => {
      const own = done.blocks.filter((block) => block.round === round);
      return own.length === 0 ? [] : [{ rateHz, logMs: Math.log(quantile(sortedLatencies(own), 0.99)) }];
    });
    return points.length < rates.length ? [] : [crossingHz(points, limitMs)];
  });
}

/** Whether a rate says on which side of the limit it is: beginning late only lengthens, so that a p99 within the limit is within it either way. */
function isKnown({ done }: Rate, limitMs: number, isLate: boolean): boolean {
  return !isLate || quantile(sortedLatencies(done.blocks), 0.99) <= limitMs;
}

/** What an end of the interval says: nothing where it is beyond all rates. */
function end(rateHz: number | null): number | null {
  return rateHz === null || rateHz === 0 || !Number.isFinite(rateHz) ? null : rateHz;
}

/** @param isVoid arms without a latency @param isLate arms without a p99 */
function carriedBy(
  capacity: Capacity,
  all: readonly Rate[],
  isVoid: ReadonlySet<string>,
  isLate: ReadonlySet<string>,
): CarriedLoad {
  const { study, task, stack, title, limitMs, limitedBy } = capacity;
  const kept = all.filter((rate) => !isVoid.has(rate.arm.id) && isKnown(rate, limitMs, isLate.has(rate.arm.id)));
  const [lowest, highest] = [kept[0], kept.at(-1)];
  const found = crossings(kept, limitMs);
  const about = { study, task, stack, title, limitMs, rounds: found.length, armIds: all.map(({ arm }) => arm.id) };
  if (lowest === undefined || highest === undefined || found.length === 0) {
    return { ...about, kind: "void", rateHz: 0, low: null, high: null, isGeneratorLimit: all.length > kept.length };
  }
  const { median, low, high } = orderStatisticInterval(found);
  const kind = median === 0 ? "less-than" : Number.isFinite(median) ? "measured" : "at-least";
  const isUnknownAbove = all.some(({ rateHz }) => rateHz > highest.rateHz);
  return {
    ...about,
    kind,
    rateHz: { measured: median, "at-least": highest.rateHz, "less-than": lowest.rateHz }[kind],
    low: end(low),
    high: end(high),
    isGeneratorLimit: kind === "at-least" && (isUnknownAbove || limitedBy === "generator"),
  };
}

/** One for each stack and task whose rates were searched. `tasks` in the order of the arms. */
export function carriedLoads(
  { arms, capacities = [] }: Pick<RunFacts, "arms" | "capacities">,
  tasks: readonly ArmTasks[],
  { voidCells, lateTails }: { readonly voidCells: readonly VoidCell[]; readonly lateTails: readonly LateTail[] },
): readonly CarriedLoad[] {
  const isVoid = new Set(voidCells.map(({ armId }) => armId));
  const isLate = new Set(lateTails.flatMap(({ armId, percentiles }) => (percentiles.includes("p99") ? [armId] : [])));
  return capacities.map((capacity) => {
    const ids = new Set(capacity.armIds);
    const rates = arms.flatMap((arm, index): readonly Rate[] => {
      const [done, { rateHz }] = [tasks[index], arm.factors];
      return !ids.has(arm.id) || done === undefined || typeof rateHz !== "number" ? [] : [{ arm, rateHz, done }];
    });
    return carriedBy(
      capacity,
      rates.toSorted((one, other) => one.rateHz - other.rateHz),
      isVoid,
      isLate,
    );
  });
}
