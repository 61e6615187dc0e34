// What bulk data over a distance came to: bytes per second, held against what a window or the line lets through.
import { predictedMs, type Exchange } from "./predicted-round-trips.ts";
import type { Summary } from "../metrics/summary.ts";
import type { Arm } from "../run/run-facts.ts";

/** Bulk data over a distance, in calls of one arm. */
export interface Transfer {
  readonly armId: string;
  /** Measured. */
  readonly rttMs: number;
  /** Of one call, as counted on the client's sockets: of its larger direction, or of both where both are bulk. */
  readonly bytesMoved: number;
  readonly totalMs: number;
  /** From the call's start to its first message; null where that is the whole answer. */
  readonly firstByteMs: number | null;
  /** Halts inside a transfer that were longer than half a round trip, as its receiver saw them; null where that is the server, and where half a round trip is too short to see. */
  readonly pauses: number | null;
  readonly bytesPerSecond: number;
  /** Whether each goes over a connection of its own, opened for it. */
  readonly opensConnection: boolean;
  /** What TCP, TLS, windows and the line take, without any time of a processor: two bounds where a window of HTTP/2 limits. */
  readonly mustBe: { readonly leastMs: number; readonly mostMs: number };
  /** What lets the least through, of what the run knows: the line's bandwidth, or a window in each round trip; null where it knows none. */
  readonly limit: {
    readonly by: "line" | "TCP window" | "HTTP/2 window";
    readonly bytesPerSecond: number;
  } | null;
}

/** What the first flight of a new connection carries (RFC 6928) is a small call. */
const smallBytes = 14_480;

/** Nearer than this, half a round trip is less than what a message takes on a line, and a pause says nothing. */
const leastRttMsToPause = 10;

type Limit = NonNullable<Transfer["limit"]>;

/** What lets the least through: a window once in a round trip, or the line all the time. Null where nothing is known of any. */
function limitOf({ windowBytes, flowControlWindowBytes, bandwidthMbps }: Exchange, rttMs: number): Limit | null {
  const perRoundTrip = (bytes: number): number => (bytes * 1_000) / rttMs;
  const limits: readonly Limit[] = [
    { by: "line", bytesPerSecond: bandwidthMbps * 125_000 },
    { by: "TCP window", bytesPerSecond: perRoundTrip(windowBytes) },
    { by: "HTTP/2 window", bytesPerSecond: perRoundTrip(flowControlWindowBytes) },
  ];
  const [least] = limits.toSorted((one, other) => one.bytesPerSecond - other.bytesPerSecond);
  return least === undefined || least.bytesPerSecond === Infinity ? null : least;
}

/** Of every arm over a distance that moved bulk data in one call, in the order of arms. */
export function transfers(
  arms: readonly Arm[],
  summaries: readonly Summary[],
  exchangeOf: (arm: Arm) => Exchange | null,
  distanceOf: (arm: Arm) => number | null,
): readonly Transfer[] {
  const known = new Map(summaries.map((row) => [`${row.armId} ${row.metric}`, row]));
  return arms.flatMap((arm): Transfer | readonly Transfer[] => {
    const [exchange, rttMs, total] = [exchangeOf(arm), distanceOf(arm), known.get(`${arm.id} latencyMs`)];
    if (exchange === null || rttMs === null || total === undefined || arm.callsPerTask !== 1) return [];
    const bytes = Math.max(exchange.requestBytes, exchange.responseBytes);
    if (arm.factors["payloadBytes"] === undefined || bytes <= smallBytes) return [];
    // What is echoed goes there before it comes back: both count.
    const isEcho = Math.min(exchange.requestBytes, exchange.responseBytes) > smallBytes;
    const bytesMoved = isEcho ? exchange.requestBytes + exchange.responseBytes : bytes;
    return {
      armId: arm.id,
      rttMs,
      bytesMoved,
      totalMs: total.mean,
      firstByteMs: known.get(`${arm.id} firstByteMs`)?.mean ?? null,
      pauses: rttMs < leastRttMsToPause ? null : (known.get(`${arm.id} pausesPerStream`)?.mean ?? null),
      bytesPerSecond: (bytesMoved * 1_000) / total.mean,
      opensConnection: exchange.opensConnection,
      mustBe: predictedMs(exchange, rttMs),
      limit: rttMs > 0 ? limitOf(exchange, rttMs) : null,
    };
  });
}
