// The demands of a task as one caller of a run measured them, and what they would be on another server or over another distance.
import { seriesKey, type Arm, type Capacity, type ClosedLoopCell } from "@roundtrip/runs";
import { type ArmGarbage, type MeasuredArms, noGarbage } from "../metrics/garbage.ts";
import { summaryFinder, type Metric } from "../metrics/summarise.ts";
import { callDemands, demandAfter, type CallDemands, type CallGarbage, type SeenDemands } from "./call-network.ts";
import { concurrencySeries, isBurstOf, type ConcurrencySeries } from "./concurrency-series.ts";

/** A task on a stack, measured by one caller without think time. Times per task, in milliseconds. */
export interface MeasuredTask {
  readonly arm: Arm;
  readonly roundTripMs: number;
  /** Null where the calls were made by a generator whose processor time is unknown. */
  readonly clientMs: number | null;
  /** Null for a target, whose processor time is unknown. */
  readonly serverMs: number | null;
  /** Round trips of handshakes per call, over the connections that calls opened; 0 where none did. */
  readonly handshakesPerCall: number;
  readonly garbage: CallGarbage;
  /** Many callers without pauses; null where they were not measured. */
  readonly many: ClosedLoopCell | null;
  /** Demands by rest, and other numbers of callers that were measured; null without such. */
  readonly series: ConcurrencySeries | null;
}

const paceFactors = ["arrivals", "rateHz", "callers", "thinkMs", "thinkTime"];

function hasOneCaller({ role, load, factors }: Arm): boolean {
  const { callers = 1, thinkMs = 0 } = factors;
  return role === "style" && callers === 1 && thinkMs === 0 && load?.loop !== "open";
}

/** One for TCP, one for TLS 1.3, and the client's own. */
function handshakesOf({ factors, connectRoundTrips = 0 }: Arm, usesTls: boolean): number {
  return 1 + Number(factors["tls"] ?? usesTls) + connectRoundTrips;
}

function garbageOf(garbage: readonly ArmGarbage[], { id }: Arm): CallGarbage {
  const found = garbage.find(({ armId }) => armId === id);
  return { client: found?.client ?? noGarbage, server: found?.server ?? noGarbage };
}

interface RunMeasured extends MeasuredArms {
  readonly capacities: readonly Capacity[];
  /** Whether clients used TLS where an arm's factors say nothing. */
  readonly usesTls: boolean;
}

/** Returns the tasks of a run with a caller of their own, in the order of its arms. */
export function measuredTasks(measured: RunMeasured): readonly MeasuredTask[] {
  const { arms, summaries, garbage, capacities, usesTls } = measured;
  const find = summaryFinder(summaries);
  const meanOf = ({ id }: Arm, metric: Metric): number | null => find(id, metric)?.mean ?? null;
  const series = new Map(concurrencySeries(measured).map((one) => [one.alone.id, one]));
  const many = new Map(
    capacities.flatMap(({ armIds, closedLoop }) => {
      const arm = arms.find(({ id }) => armIds.includes(id));
      return arm === undefined || closedLoop === undefined
        ? []
        : [[seriesKey(arm, ...paceFactors), closedLoop] as const];
    }),
  );
  const alone = arms.filter(hasOneCaller);
  const bursts = new Set(
    alone.filter((arm) => arm.load !== undefined && alone.some((other) => isBurstOf(arm, other))).map(({ id }) => id),
  );
  return alone.flatMap((arm): readonly MeasuredTask[] => {
    const roundTripMs = meanOf(arm, "latencyMs");
    if (roundTripMs === null || bursts.has(arm.id)) return [];
    const own = series.get(arm.id) ?? null;
    return [
      {
        arm,
        roundTripMs,
        clientMs: meanOf(arm, "clientCpuMsPerTask"),
        serverMs: meanOf(arm, "serverCpuMsPerTask"),
        handshakesPerCall: (meanOf(arm, "connectionsPerCall") ?? 0) * handshakesOf(arm, usesTls),
        garbage: own?.garbage ?? garbageOf(garbage, arm),
        many: many.get(seriesKey(arm, ...paceFactors)) ?? null,
        series: own,
      },
    ];
  });
}

/** A client that is busier than this limits the rate itself. */
const mostClientUtilisation = 0.9;

/** So many times the round trip of one caller, in which the many mostly wait for the server. */
const leastWaiting = 3;

/**
 * What a task takes of a server that many callers keep busy, in milliseconds: 1 / X, by the utilisation law. A server of several processors counts as one
 * that is as fast as all. Null where the run has no such callers, their client limits the rate, or they hardly wait.
 */
export function saturatedServerMs({ many, roundTripMs }: MeasuredTask): number | null {
  if (many === null || many.clientUtilisation > mostClientUtilisation) return null;
  const demandMs = 1_000 / many.tasksPerSecond;
  return many.callers * demandMs >= leastWaiting * roundTripMs ? demandMs : null;
}

/** The demands that a prediction takes. @param serverMs processor time of a task on its server, from elsewhere if the run has none. */
export function demandsOf(task: MeasuredTask, serverMs: number): SeenDemands {
  const { roundTripMs, garbage, series } = task;
  const ofManyMs = task.many?.serverCpuMsPerTask ?? null;
  const clientMs = task.clientMs ?? 0;
  const alone = callDemands(roundTripMs, clientMs, serverMs);
  const rested = (demandMs: number) => [{ restMs: Math.max(0, roundTripMs - demandMs), demandMs }];
  if (serverMs !== task.serverMs) return { alone, client: rested(clientMs), server: rested(serverMs), garbage };
  const many = ofManyMs === null ? [] : [{ restMs: 0, demandMs: ofManyMs }];
  return {
    alone,
    client: series?.seen.client ?? rested(clientMs),
    server: [...(series?.seen.server ?? rested(serverMs)), ...many],
    garbage,
  };
}

/** The demands of processors that never rest: they limit the throughput. */
export function busyDemands({ alone, client, server }: SeenDemands): CallDemands {
  return { ...alone, clientMs: demandAfter(client, 0), serverMs: demandAfter(server, 0), phaseTwoMs: 0 };
}

export interface DemandChange {
  /** How many times as fast the server's processor works: 2 halves its time. */
  readonly serverSpeed: number;
  /** Added to each task, in milliseconds: a longer round trip for each of its calls that wait for each other. */
  readonly addedDelayMs: number;
}

/** The demands after a change. The share of the second phase stays. */
export function changedDemands(seen: SeenDemands, { serverSpeed, addedDelayMs }: DemandChange): SeenDemands {
  const { alone, garbage } = seen;
  const share = alone.phaseTwoMs / (alone.clientMs + alone.serverMs);
  const serverMs = alone.serverMs / serverSpeed;
  const busyMs = alone.clientMs + serverMs;
  const delayMs = alone.delayMs + addedDelayMs;
  const phaseTwoMs = share * busyMs;
  return {
    ...seen,
    alone: { ...alone, serverMs, delayMs, phaseTwoMs, roundTripMs: busyMs - phaseTwoMs + delayMs },
    server: seen.server.map(({ restMs, demandMs }) => ({ restMs, demandMs: demandMs / serverSpeed })),
    garbage: { ...garbage, server: { ...garbage.server, meanMs: garbage.server.meanMs / serverSpeed } },
  };
}
