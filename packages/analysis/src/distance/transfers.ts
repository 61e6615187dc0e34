// Throughput of bulk data over a distance, compared with the limit of a window or the line.
import { predictedMs, type Exchange } from "./predicted-round-trips.ts";
import type { Summary } from "../metrics/summarise.ts";
import type { Arm } from "@roundtrip/runs";

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

/** Returns the transfers of arms over a distance with bulk data in one call, in the order of arms. */
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
    // Echoed data travels in both directions, so both count.
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
