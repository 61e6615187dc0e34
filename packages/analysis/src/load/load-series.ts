// Response times by arrival rate, beside the predictions of open-queue models from the measured server demand.
import { mm1, mmc } from "../models/open-queues.ts";
import type { Arrivals } from "../metrics/gathered-calls.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import {
  type MeasuredPercentiles,
  noPercentiles,
  responsePercentiles,
  type VoidCell,
  type WithheldPercentiles,
} from "../metrics/lateness.ts";
import { summaryFinder, type Summary, type SummaryOf } from "../metrics/summarise.ts";
import { seriesKey, type Arm, type Capacity, type ClosedLoopCell } from "@roundtrip/runs";

/** The demand of a call. Times are means, in milliseconds. */
export interface ServerDemand {
  /** Latency of a single caller. */
  readonly responseMs: number;
  /** Processor time of the server. */
  readonly demandMs: number;
  /** Whether the demand is a single caller's, or that of many callers: less, because the server handles many calls per event-loop turn. */
  readonly demandOf: "alone" | "many";
  readonly threads: number;
  /** As answers report it; null where they report none. */
  readonly serviceMs: number | null;
}

/** Mean response times in milliseconds; null where the queue would grow without bound. */
export interface OpenResponses {
  /** Exponential service. */
  readonly mm1Ms: number | null;
  /** M/M/1 alone, with one server that is busy for all of a lone caller's response time: 1 / (μ − λ). */
  readonly wholeMs: number | null;
  /** One processor per thread; null also with one thread or without a service time. */
  readonly mmcMs: number | null;
}

/** Adds the model's wait to the latency of a single call: everything except the server's processor (network, client) is a delay without a queue. */
export function openResponses(demand: ServerDemand, rateHz: number): OpenResponses {
  const { responseMs, demandMs, threads, serviceMs } = demand;
  const isStable = rateHz * demandMs < 1_000;
  const pool = threads > 1 && serviceMs !== null && rateHz * serviceMs < 1_000 * threads ? serviceMs : null;
  const after = (waitingMs: number): number => responseMs + waitingMs;
  return {
    mm1Ms: isStable ? after(mm1({ rateHz, serviceMs: demandMs }).waitingMs) : null,
    wholeMs: rateHz * responseMs < 1_000 ? responseMs / (1 - (rateHz * responseMs) / 1_000) : null,
    mmcMs: pool === null ? null : after(mmc({ rateHz, serviceMs: pool, servers: threads }).waitingMs),
  };
}

/**
 * Returns the mean wait of requests that arrive at these ascending moments and are served one after the other in constant time. Wait n + 1 is wait n
 * plus the service less the gap, at least 0 (D. V. Lindley, "The Theory of Queues with a Single Server", Mathematical Proceedings of the Cambridge
 * Philosophical Society 48, 1952). NaN without arrivals.
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

/** One arrival rate. Times in milliseconds. */
export interface LoadPoint {
  readonly armId: string;
  readonly rateHz: number;
  /** Mean response time with its 95 % interval; null where the rate was not kept. */
  readonly responseMs: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly percentiles: MeasuredPercentiles;
  /** Why there is no response time; otherwise empty. */
  readonly voidFor: readonly string[];
  /** Offered load as a share of one processor's capacity: unstable from 1. */
  readonly offered: number;
  /** Predictions for the long run; null where the queue grows without bound. */
  readonly predicted: OpenResponses;
  /** One server with the same arrivals as this run and constant service. Defined above capacity, too. */
  readonly replayedMs: number;
  /** The same for each block, in the order of rounds. */
  readonly replayedBlocksMs: readonly number[];
}

export interface LoadSeries {
  readonly study: string;
  readonly task: string;
  /** The arm of one caller in a closed loop: models add a wait to its latency. */
  readonly alone: Arm;
  readonly demand: ServerDemand;
  /** From low to high. */
  readonly points: readonly LoadPoint[];
}

const rateFactors = ["arrivals", "rateHz"];

/**
 * Returns the demand of a call on its server: CPU time, or else the time that answers report; undefined without either. Prefers the demand of many
 * callers where measured: a small call of a single caller mostly costs the event-loop turn that it has alone.
 */
function demandOf(alone: Arm, closedLoop: ClosedLoopCell | undefined, find: SummaryOf): ServerDemand | undefined {
  const reported = find(alone.id, "serviceMs");
  const responseMs = find(alone.id, "latencyMs")?.mean;
  const ofMany = closedLoop?.serverCpuMsPerTask ?? undefined;
  const demandMs = ofMany ?? find(alone.id, "serverCpuMsPerTask")?.mean ?? reported?.mean;
  if (responseMs === undefined || demandMs === undefined || demandMs <= 0) return undefined;
  const threads = alone.factors["matrix.threads"];
  return {
    responseMs,
    demandMs,
    demandOf: ofMany === undefined ? "alone" : "many",
    threads: typeof threads === "number" ? threads : 1,
    serviceMs: reported?.mean ?? null,
  };
}

export interface LoadInput {
  readonly arms: readonly Arm[];
  readonly summaries: readonly Summary[];
  readonly voidCells: readonly VoidCell[];
  readonly lateTails: readonly WithheldPercentiles[];
  readonly tasks: readonly ArmTasks[];
  readonly capacities: readonly Capacity[];
}

function pointsOf(
  { tasks, lateTails, voidCells }: LoadInput,
  arrivals: Arrivals,
  find: SummaryOf,
): (arm: Arm, demand: ServerDemand) => readonly LoadPoint[] {
  const doneBy = new Map(tasks.map((done) => [done.armId, done]));
  const lateOf = new Map(lateTails.map(({ armId, percentiles }) => [armId, percentiles]));
  const voided = new Map(voidCells.map(({ armId, reasons }) => [armId, reasons]));
  return (arm, demand) => {
    const { rateHz } = arm.factors;
    if (arm.load?.loop !== "open" || typeof rateHz !== "number") return [];
    const latency = find(arm.id, "latencyMs");
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
        replayedBlocksMs: waitsMs.map((block) => demand.responseMs + block.waitMs),
      },
    ];
  };
}

/** Returns every series with an arm of one caller and at least one rate, in the order of the run. */
export function loadSeries(input: LoadInput, arrivals: Arrivals): readonly LoadSeries[] {
  const { arms, summaries, capacities } = input;
  if (!arms.some(({ load, factors }) => load?.loop === "open" && typeof factors["rateHz"] === "number")) return [];
  const find = summaryFinder(summaries);
  const closedLoopOf = new Map(capacities.flatMap(({ armIds, closedLoop }) => armIds.map((id) => [id, closedLoop])));
  const pointsAt = pointsOf(input, arrivals, find);
  const groups = Map.groupBy(arms, (arm) => seriesKey(arm, ...rateFactors));
  return [...groups.values()].flatMap((group): readonly LoadSeries[] => {
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
