// The load that a stack carries while its p99 stays within a limit, computed from its rates round by round: between two measured rates,
// the rate at which the time crosses the limit.
import { stackAsSet, type Capacity, type RunFacts, type StackAsSet } from "@roundtrip/runs";
import { sortedTogether } from "../metrics/block-values.ts";
import { quantile } from "../statistics/describe-samples.ts";
import { orderStatisticInterval } from "../statistics/student-t.ts";
import { fromActualStart, type VoidCell } from "../metrics/lateness.ts";
import type { ArmTasks, TaskBlock } from "../calls/tasks-of.ts";

export interface TimeAtRate {
  readonly rateHz: number;
  /** Natural logarithm of a time in milliseconds. */
  readonly logMs: number;
}

/**
 * Returns the points with times that rise with the rate; only chance makes them fall. Neighbours that fall get their mean (isotonic regression by
 * pool adjacent violators: M. Ayer et al., "An Empirical Distribution Function for Sampling with Incomplete Information", Annals of Mathematical
 * Statistics 26, 1955).
 * @param points from low to high
 */
export function rising(points: readonly TimeAtRate[]): readonly TimeAtRate[] {
  const pools: { sum: number; count: number }[] = [];
  for (const { logMs } of points) {
    let pool = { sum: logMs, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum / last.count > pool.sum / pool.count;) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
      last = pools.at(-1);
    }
    pools.push(pool);
  }
  const fitted = pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  return points.map(({ rateHz }, index) => ({ rateHz, logMs: fitted[index] as number }));
}

/** Returns the rate where times cross the limit, by interpolation of their logarithm: 0 below all rates, infinite above. */
export function crossingHz(points: readonly TimeAtRate[], limitMs: number): number {
  const limit = Math.log(limitMs);
  const fitted = rising(points);
  const above = fitted.findIndex(({ logMs }) => logMs > limit);
  if (above === -1) return Number.POSITIVE_INFINITY;
  const [one, other] = [fitted[above - 1], fitted[above]];
  if (one === undefined || other === undefined) return 0;
  return one.rateHz + ((other.rateHz - one.rateHz) * (limit - one.logMs)) / (other.logMs - one.logMs);
}

/** Maximum relative distance of the two crossings for a known load. */
const mostApart = 0.1;

/** Arrivals per second. */
export interface CarriedLoad extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly limitMs: number;
  /**
   * `measured`: the median over rounds of the rate at which p99 crosses the limit. `at-least`: the highest rate measured that surely stays within it
   * in half of the rounds. `less-than`: p99 exceeds the limit even at the lowest rate. `void`: the generator was too late at all rates.
   */
  readonly kind: "measured" | "at-least" | "less-than" | "void";
  /** 0 where unknown. */
  readonly rateHz: number;
  /** 95 % interval of the median by order statistics; null with too few rounds, and for an end beyond all rates. */
  readonly low: number | null;
  readonly high: number | null;
  /** Whether the limit is unknown because the generator may have been saturated instead of the server. */
  readonly isGeneratorLimit: boolean;
  readonly rounds: number;
  /** From low to high rate. */
  readonly armIds: readonly string[];
}

interface Rate {
  readonly rateHz: number;
  readonly done: ArmTasks;
  /** Whether its client had time for answers: a client without makes answers wait longer than the server took. */
  readonly isClientFree: boolean;
}

type Counted = (block: TaskBlock) => Float64Array;
const fromIntended: Counted = ({ latenciesMs }) => latenciesMs;

function crossings(rates: readonly Rate[], counted: Counted, limitMs: number): readonly number[] {
  const rounds = new Set(rates.flatMap(({ done }) => done.blocks.map(({ round }) => round)));
  return [...rounds].flatMap((round): readonly number[] => {
    const points = rates.flatMap(({ rateHz, done }): readonly TimeAtRate[] => {
      const own = done.blocks.filter((block) => block.round === round);
      const sorted = sortedTogether(own.map(counted));
      return own.length === 0 ? [] : [{ rateHz, logMs: Math.log(quantile(sorted, 0.99)) }];
    });
    return points.length < rates.length ? [] : [crossingHz(points, limitMs)];
  });
}

function end(rateHz: number | null): number | null {
  return rateHz === null || rateHz === 0 || !Number.isFinite(rateHz) ? null : rateHz;
}

/**
 * The server's latency lies between that from the intended start, which includes the generator's lateness, and that from the actual start. The
 * carried load lies between the two crossings, and is known where they agree.
 */
function carriedBy(capacity: Capacity, asSet: StackAsSet, all: readonly Rate[]): CarriedLoad {
  const { study, task, limitMs, limitedBy, armIds } = capacity;
  const least = crossings(all, fromIntended, limitMs);
  const free = all.filter(({ isClientFree }) => isClientFree);
  const most = crossings(free, fromActualStart, limitMs);
  const about = { study, task, ...asSet, limitMs, armIds, rounds: least.length, low: null, high: null };
  if (least.length === 0) return { ...about, kind: "void", rateHz: 0, isGeneratorLimit: false };
  const surely = orderStatisticInterval(least);
  const atMost = most.length === 0 ? undefined : orderStatisticInterval(most);
  const lowest = free[0];
  if (atMost?.median === 0 && lowest !== undefined) {
    return { ...about, kind: "less-than", rateHz: lowest.rateHz, isGeneratorLimit: false };
  }
  if (
    atMost !== undefined &&
    Number.isFinite(atMost.median) &&
    atMost.median - surely.median <= mostApart * atMost.median
  ) {
    const [low, high] = [end(surely.low), end(atMost.high)];
    return { ...about, kind: "measured", rateHz: surely.median, low, high, isGeneratorLimit: false };
  }
  const within = all.findLast(({ rateHz }) => rateHz <= surely.median);
  if (within === undefined) return { ...about, kind: "void", rateHz: 0, isGeneratorLimit: true };
  const isGeneratorLimit = Number.isFinite(surely.median) || limitedBy === "generator";
  return { ...about, kind: "at-least", rateHz: within.rateHz, isGeneratorLimit };
}

/** Returns one row per stack and task with a capacity search. `tasks` in the order of the arms. */
export function carriedLoads(
  { arms, capacities = [] }: Pick<RunFacts, "arms" | "capacities">,
  tasks: readonly ArmTasks[],
  voidCells: readonly VoidCell[],
): readonly CarriedLoad[] {
  const codesOf = new Map(voidCells.map(({ armId, codes }) => [armId, codes]));
  return capacities.map((capacity) => {
    const ids = new Set(capacity.armIds);
    const rates = arms.flatMap((arm, index): readonly Rate[] => {
      const [done, { rateHz }, codes = []] = [tasks[index], arm.factors, codesOf.get(arm.id)];
      if (!ids.has(arm.id) || done === undefined || typeof rateHz !== "number" || codes.includes("left-out")) return [];
      return [{ rateHz, done, isClientFree: !codes.includes("busy") }];
    });
    const { style, server, client, stack, title } = capacity;
    const arm = arms.find(({ id }) => ids.has(id));
    return carriedBy(
      capacity,
      arm === undefined
        ? { style, server, client, stack, title, stackTitle: title, settings: {} }
        : { ...stackAsSet(arm), title },
      rates.toSorted((one, other) => one.rateHz - other.rateHz),
    );
  });
}
