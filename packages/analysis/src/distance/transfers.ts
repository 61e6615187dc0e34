// Bulk data over a distance: its throughput beside the limit of a window or the line, and the cost of a pause for the next call.
import { factorKey, type Arm } from "@roundtrip/runs";
import { mean } from "d3-array";
import { distanceFactor } from "./distance-lines.ts";
import { predictedMs, tcpWindowAt, type Exchange } from "./round-trips.ts";
import type { MeasuredArms } from "../metrics/garbage.ts";
import { summaryFinder, type Metric, type Summary } from "../metrics/summarise.ts";
import { tInterval } from "../statistics/student-t.ts";

export interface Transfer {
  readonly armId: string;
  /** Measured. */
  readonly rttMs: number;
  /** Bytes of one call, as counted on the client's sockets: the larger direction, or both where both are bulk. */
  readonly bytesMoved: number;
  readonly totalMs: number;
  /** From the call's start to its first message; null where that is the whole answer. */
  readonly firstByteMs: number | null;
  /** Pauses longer than half a round trip, as the receiver saw them; null if that is the server, or half a round trip is too short. */
  readonly pauses: number | null;
  readonly bytesPerSecond: number;
  readonly opensConnection: boolean;
  /** Time of TCP, TLS, windows and the line, without processor time: two bounds where an HTTP/2 window limits. */
  readonly mustBe: { readonly leastMs: number; readonly mostMs: number };
  /** The lowest known limit: the line's bandwidth, or a window per round trip; null where none is known. */
  readonly limit: {
    readonly by: "line" | "TCP window" | "HTTP/2 window";
    readonly bytesPerSecond: number;
  } | null;
}

/** A call that fits into the first flight of a new connection (RFC 6928) is small. */
const smallBytes = 14_480;

/** At shorter distances half a round trip is less than the time of a message on the line, so pauses mean nothing. */
const leastRttMsToPause = 10;

type Limit = NonNullable<Transfer["limit"]>;

function limitOf(exchange: Exchange, rttMs: number): Limit | null {
  const { requestBytes, responseBytes, flowControlWindowBytes, bandwidthMbps } = exchange;
  const windowBytes = tcpWindowAt(requestBytes > responseBytes ? "server" : "client", exchange);
  const perRoundTrip = (bytes: number): number => (bytes * 1_000) / rttMs;
  const limits: readonly Limit[] = [
    { by: "line", bytesPerSecond: bandwidthMbps * 125_000 },
    { by: "TCP window", bytesPerSecond: perRoundTrip(windowBytes) },
    { by: "HTTP/2 window", bytesPerSecond: perRoundTrip(flowControlWindowBytes) },
  ];
  const [least] = limits.toSorted((one, other) => one.bytesPerSecond - other.bytesPerSecond);
  return least === undefined || least.bytesPerSecond === Infinity ? null : least;
}

/** Returns the transfers of arms over a distance with bulk data in one call, in the order of arms. */
export function transfers(
  arms: readonly Arm[],
  summaries: readonly Summary[],
  exchangeOf: (arm: Arm) => Exchange | null,
  distanceOf: (arm: Arm) => number | null,
): readonly Transfer[] {
  const find = summaryFinder(summaries);
  return arms.flatMap((arm): Transfer | readonly Transfer[] => {
    const [exchange, rttMs, total] = [exchangeOf(arm), distanceOf(arm), find(arm.id, "latencyMs")];
    if (exchange === null || rttMs === null || total === undefined || arm.callsPerTask !== 1) return [];
    const bytes = Math.max(exchange.requestBytes, exchange.responseBytes);
    if (arm.factors["payloadBytes"] === undefined || bytes <= smallBytes) return [];
    // Echoed data travels in both directions, so both count.
    const isEcho = Math.min(exchange.requestBytes, exchange.responseBytes) > smallBytes;
    const bytesMoved = isEcho ? exchange.requestBytes + exchange.responseBytes : bytes;
    return {
      armId: arm.id,
      rttMs,
      bytesMoved,
      totalMs: total.mean,
      firstByteMs: find(arm.id, "firstByteMs")?.mean ?? null,
      pauses: rttMs < leastRttMsToPause ? null : (find(arm.id, "pausesPerStream")?.mean ?? null),
      bytesPerSecond: (bytesMoved * 1_000) / total.mean,
      opensConnection: exchange.opensConnection,
      mustBe: predictedMs(exchange, rttMs),
      limit: rttMs > 0 ? limitOf(exchange, rttMs) : null,
    };
  });
}

export interface PauseCost {
  readonly study: string;
  readonly task: string;
  /** Directly after another call. The other arm differs only in the pause. */
  readonly atOnce: Arm;
  readonly afterPause: Arm;
  readonly atOnceMs: number;
  readonly afterPauseMs: number;
  /** Latency after the pause over latency at once: exp of the mean over rounds of the logarithm. */
  readonly ratio: number;
  /** 95 % interval over rounds (Student's t); null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** The extra wait after the pause, in requested round-trip times; null without a distance. */
  readonly moreRoundTrips: number | null;
  /** The predicted extra wait: flights of a restarted window, in both directions. */
  readonly predictedMore: number;
}

/** Ten segments of 1,448 bytes: RFC 6928, and RFC 2861 for after a pause. */
const initialWindowBytes = 10 * 1_448;

/** Extra flights to send this many bytes when the window starts small and doubles (RFC 5681). */
function flightsMore(bytes: number): number {
  return Math.max(0, Math.ceil(Math.log2(bytes / initialWindowBytes + 1)) - 1);
}

/** Whether a pause resets the window. Not if that is disabled, and not with BBR, whose path model outlasts the pause. */
function restarts({ factors }: Arm): boolean {
  return factors["slowStartAfterIdle"] !== false && factors["congestionControl"] !== "bbr";
}

/** Returns every call measured with and without a pause, in the order of the run. Assumes that transfers are equally large in both directions. */
export function pauseCosts({ arms, summaries }: Pick<MeasuredArms, "arms" | "summaries">): readonly PauseCost[] {
  const find = summaryFinder(summaries);
  const roundsOf = (arm: Arm): readonly number[] => find(arm.id, "latencyMs")?.roundMeans ?? [];
  const meanOf = (arm: Arm, metric: Metric): number => find(arm.id, metric)?.mean ?? Number.NaN;
  const alike = Map.groupBy(arms, (arm) => JSON.stringify([arm.study, arm.task, arm.stack, factorKey(arm)]));
  return [...alike.values()].flatMap((group): PauseCost | readonly PauseCost[] => {
    const atOnce = group.find(({ variant }) => variant === "at-once");
    const afterPause = group.find(({ variant }) => variant === "after-pause");
    if (atOnce === undefined || afterPause === undefined) return [];
    const before = roundsOf(atOnce);
    const logRatios = roundsOf(afterPause).flatMap((ms, round) => {
      const other = before[round];
      return other === undefined ? [] : [Math.log(ms / other)];
    });
    if (logRatios.length === 0) return [];
    const interval = tInterval(logRatios);
    const [atOnceMs, afterPauseMs] = [meanOf(atOnce, "latencyMs"), meanOf(afterPause, "latencyMs")];
    const rttMs = atOnce.factors[distanceFactor];
    const { study, task } = atOnce;
    return {
      study,
      task,
      atOnce,
      afterPause,
      atOnceMs,
      afterPauseMs,
      ratio: Math.exp(mean(logRatios) as number),
      low: interval === null ? null : Math.exp(interval.low),
      high: interval === null ? null : Math.exp(interval.high),
      moreRoundTrips: typeof rttMs === "number" && rttMs > 0 ? (afterPauseMs - atOnceMs) / rttMs : null,
      predictedMore: restarts(atOnce) ? 2 * flightsMore(meanOf(atOnce, "wireBytesPerTask") / 2) : 0,
    };
  });
}
