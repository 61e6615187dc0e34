// How late tasks began, and which figures of an arm's latency that moves.
import { mean } from "d3-array";
import { byRound, merged, sortedTogether } from "./block-values.ts";
import type { ArmTasks, TaskBlock } from "../calls/tasks-of.ts";
import type { Arm } from "../run/run-facts.ts";
import { versionFactor } from "../run/arm-factors.ts";
import { quantile } from "../statistics/describe-samples.ts";
import type { MetricValues } from "./summarise.ts";
import type { Metric } from "./summary.ts";

/** Where tasks come whatever the client does, its lateness is nothing but the generator's: it may be this share of a figure. */
const mostOfOpen = 0.1;

/**
 * In a closed loop the client is a station of the model like the server, and has other things to do: other callers' calls, garbage. A call comes
 * to it twice, to begin and with its answer, and waits there alike, so that beginning late is half of a latency at most.
 */
const mostOfClosed = 0.5;

/**
 * Where two versions are held against each other, one generator with one schedule makes the calls of both: what it adds, it adds alike, and a ratio
 * that it pulls towards 1 is no false alarm. Beyond half of a latency there would be more of the generator in it than of a server.
 */
const mostOfVersions = 0.5;

function mostOf({ load, factors }: Pick<Arm, "load" | "factors">): number {
  if (load?.loop === "closed") return mostOfClosed;
  return factors[versionFactor] === undefined ? mostOfOpen : mostOfVersions;
}

/** One figure of an arm's latency, in milliseconds, as it is counted from either start. */
export interface TwiceCounted {
  readonly intendedMs: number;
  readonly actualMs: number;
  /** Whether what lies between is more than may be the generator's. */
  readonly isMoved: boolean;
}

/** An arm's latencies, counted from either start. */
export interface Lateness {
  readonly mean: TwiceCounted;
  readonly quantile: (fraction: number) => TwiceCounted;
}

/** The latencies of a block's tasks as they would be from their actual start. */
export function fromActualStart({ latenciesMs, latenessMs }: TaskBlock): Float64Array {
  return latenessMs === undefined ? latenciesMs : latenciesMs.map((ms, task) => ms - (latenessMs[task] as number));
}

/** Undefined for an arm that nothing set off, or of which nothing was answered. */
export function latenessOf(
  { load, factors }: Pick<Arm, "load" | "factors">,
  { blocks }: Pick<ArmTasks, "blocks">,
): Lateness | undefined {
  if (load === undefined || blocks.length === 0) return undefined;
  const share = mostOf({ load, factors });
  const intended = sortedTogether(blocks.map(({ latenciesMs }) => latenciesMs));
  const actual = sortedTogether(blocks.map(fromActualStart));
  const twice = (figure: (sorted: Float64Array) => number): TwiceCounted => {
    const [intendedMs, actualMs] = [figure(intended), figure(actual)];
    return { intendedMs, actualMs, isMoved: intendedMs - actualMs > share * intendedMs };
  };
  return {
    mean: twice((sorted) => mean(sorted) as number),
    quantile: (fraction) => twice((sorted) => quantile(sorted, fraction)),
  };
}

function measured(
  armId: string,
  metric: Metric,
  roundIds: readonly number[],
  blocks: readonly { readonly round: number; readonly values: Float64Array }[],
): MetricValues {
  const means = blocks.map(({ round, values }) => ({ round, value: mean(values) as number }));
  const joined = (some: typeof blocks): Float64Array => sortedTogether(some.map(({ values }) => values));
  const rounds = [...Map.groupBy(blocks, ({ round }) => round).values()].map(joined);
  return { armId, metric, sorted: merged(rounds), means: byRound(roundIds, means), rounds };
}

/**
 * Two rows of an arm with a load, none of others: `latenessMs`, from when a task was to begin until it did, and `latencyFromStartMs`, what
 * latency would be if it were counted from there. Tasks that failed count for neither.
 */
export function pacedMetrics({ armId, blocks }: ArmTasks, roundIds: readonly number[]): readonly MetricValues[] {
  const paced = blocks.filter(({ latenessMs }) => latenessMs !== undefined);
  if (paced.length === 0) return [];
  const late = paced.map(({ round, latenessMs }) => ({ round, values: latenessMs ?? new Float64Array() }));
  const fromStart = paced.map((block) => ({ round: block.round, values: fromActualStart(block) }));
  return [measured(armId, "latenessMs", roundIds, late), measured(armId, "latencyFromStartMs", roundIds, fromStart)];
}
