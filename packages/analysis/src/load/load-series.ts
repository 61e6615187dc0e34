// Response times against arrivals a second, beside what queueing models make of the server's time that calls were seen to take.
import type { Arrivals } from "../calls/arrivals.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import type { LateTail, VoidCell } from "../metrics/void-cell.ts";
import { noPercentiles, responsePercentiles, type MeasuredPercentiles } from "../metrics/response-percentiles.ts";
import type { Metric, Summary } from "../metrics/summary.ts";
import { scvOf } from "../models/mg1.ts";
import { openResponses, type OpenResponses, type ServerDemand } from "./open-responses.ts";
import { factorKey } from "../run/arm-factors.ts";
import type { Arm, Capacity, ClosedLoopCell } from "../run/run-facts.ts";

/**
 * The mean wait of requests that come at these moments, ascending, and are each served for as long, one after the other: wait n + 1 is wait
 * n plus the service less the gap between the two, or nothing (D. V. Lindley, "The Theory of Queues with a Single Server", Mathematical
 * Proceedings of the Cambridge Philosophical Society 48, 1952). NaN without arrivals.
 */
export function meanWaitMs(arrivalsMs: ArrayLike<number>, serviceMs: number): number {
  let waitMs = 0;
  let sumMs = 0;
  for (let at = 1; at < arrivalsMs.length; at += 1) {
    const gapMs = (arrivalsMs[at] as number) - (arrivalsMs[at - 1] as number);
    waitMs = Math.max(0, waitMs + serviceMs - gapMs);
    sumMs += waitMs;
  }
  return sumMs / arrivalsMs.length;
}

/** One rate of arrivals. Times in milliseconds. */
export interface LoadPoint {
  readonly armId: string;
  readonly rateHz: number;
  /** Mean response time with its 95 % interval; null where the load was not kept. */
  readonly responseMs: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly percentiles: MeasuredPercentiles;
  /** Why there is no response time; empty where there is one. */
  readonly voidFor: readonly string[];
  /** Share of what one processor can do that is asked for: 1 and more cannot be served for ever. */
  readonly offered: number;
  /** By models of the long run; null from where on the queue grows without end. */
  readonly predicted: OpenResponses;
  /** One server that takes the very arrivals of this run one after the other, each for as long: there is one above capacity, too. */
  readonly replayedMs: number;
}

/** One stack as it was set, over its rates. */
export interface LoadSeries {
  readonly study: string;
  readonly task: string;
  /** The arm of one caller who waits for each answer: models add a wait to that. */
  readonly alone: Arm;
  readonly demand: ServerDemand;
  /** From low to high. */
  readonly points: readonly LoadPoint[];
}

/** What sets arms of one series apart. */
const rateFactors = ["arrivals", "rateHz"];

function seriesKey({ study, task, stack, variant, factors }: Arm): string {
  return JSON.stringify([study, task, stack, variant, factorKey({ factors }, ...rateFactors)]);
}

type Find = (arm: Arm, metric: Metric) => Summary | undefined;

/**
 * What a call takes of its server: processor time, or what answers report where that is not known. Undefined where neither is. Of small calls, where
 * it was measured, that of many callers: most of what a lone call takes is the turn that it has to itself.
 */
function demandOf(alone: Arm, closedLoop: ClosedLoopCell | undefined, find: Find): ServerDemand | undefined {
  const reported = find(alone, "serviceMs");
  const responseMs = find(alone, "latencyMs")?.mean;
  const ofMany = closedLoop?.serverCpuMsPerTask ?? undefined;
  const demandMs = ofMany ?? find(alone, "serverCpuMsPerTask")?.mean ?? reported?.mean;
  if (responseMs === undefined || demandMs === undefined || demandMs <= 0) return undefined;
  const threads = alone.factors["matrix.threads"];
  return {
    responseMs,
    demandMs,
    demandOf: ofMany === undefined ? "alone" : "many",
    scv: reported === undefined ? null : scvOf(demandMs, reported.stddev),
    threads: typeof threads === "number" ? threads : 1,
    serviceMs: reported?.mean ?? null,
  };
}

/** What load series are made from. */
export interface LoadInput {
  readonly arms: readonly Arm[];
  readonly summaries: readonly Summary[];
  readonly voidCells: readonly VoidCell[];
  readonly lateTails: readonly LateTail[];
  readonly tasks: readonly ArmTasks[];
  readonly capacities: readonly Capacity[];
}

/** The points of arms of one demand: of those that were called at a rate. */
function pointsOf(
  { tasks, lateTails, voidCells }: LoadInput,
  arrivals: Arrivals,
  find: Find,
): (arm: Arm, demand: ServerDemand) => readonly LoadPoint[] {
  const doneBy = new Map(tasks.map((done) => [done.armId, done]));
  const lateOf = new Map(lateTails.map(({ armId, percentiles }) => [armId, percentiles]));
  const voided = new Map(voidCells.map(({ armId, reasons }) => [armId, reasons]));
  return (arm, demand) => {
    const { rateHz } = arm.factors;
    if (arm.load?.loop !== "open" || typeof rateHz !== "number") return [];
    const latency = find(arm, "latencyMs");
    const waitsMs = (arrivals.get(arm.id) ?? []).map((moments) => ({
      tasks: moments.length,
      waitMs: meanWaitMs(moments, demand.demandMs),
    }));
    const arrived = waitsMs.reduce((sum, block) => sum + block.tasks, 0);
    const waitMs = waitsMs.reduce((sum, block) => sum + block.tasks * block.waitMs, 0) / arrived;
    const done = doneBy.get(arm.id);
    return [
      {
        armId: arm.id,
        rateHz,
        responseMs: latency?.mean ?? null,
        low: latency?.meanLow ?? null,
        high: latency?.meanHigh ?? null,
        percentiles:
          latency === undefined || done === undefined
            ? noPercentiles
            : responsePercentiles(done, lateOf.get(arm.id) ?? []),
        voidFor: voided.get(arm.id) ?? [],
        offered: (rateHz * demand.demandMs) / 1_000,
        predicted: openResponses(demand, rateHz),
        replayedMs: demand.responseMs + waitMs,
      },
    ];
  };
}

/** Every series with an arm of one caller and at least one rate, in the order of the run. */
export function loadSeries(input: LoadInput, arrivals: Arrivals): readonly LoadSeries[] {
  const { arms, summaries, capacities } = input;
  if (!arms.some(({ load, factors }) => load?.loop === "open" && typeof factors["rateHz"] === "number")) return [];
  const rows = new Map(summaries.map((row) => [`${row.armId} ${row.metric}`, row]));
  const find: Find = ({ id }, metric) => rows.get(`${id} ${metric}`);
  const closedLoopOf = new Map(capacities.flatMap(({ armIds, closedLoop }) => armIds.map((id) => [id, closedLoop])));
  const pointsAt = pointsOf(input, arrivals, find);
  return [...Map.groupBy(arms, seriesKey).values()].flatMap((group): readonly LoadSeries[] => {
    const alone = group.find(({ load }) => load === undefined);
    const closedLoop = group.map(({ id }) => closedLoopOf.get(id)).find((seen) => seen !== undefined);
    const demand = alone && demandOf(alone, closedLoop, find);
    if (alone === undefined || demand === undefined) return [];
    const points = group.flatMap((arm) => pointsAt(arm, demand));
    if (points.length === 0) return [];
    const { study, task } = alone;
    return [{ study, task, alone, demand, points: points.toSorted((one, other) => one.rateHz - other.rateHz) }];
  });
}
