// How many round trips a call must wait for, from what TCP, TLS and HTTP/2 do and what the line carries: counted without any time of a processor.
import { lineFit } from "../statistics/line-fit.ts";

/** One call as the network sees it. */
export interface Exchange {
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Whether it goes over a connection of its own, which is opened for it. */
  readonly opensConnection: boolean;
  /** Round trips that its client waits for on a new connection besides the handshakes. */
  readonly connectRoundTrips: number;
  readonly tls: boolean;
  /** The most that a TCP receiver lets be under way; infinite where nothing limits it before the bytes are through. */
  readonly windowBytes: number;
  /** The same of HTTP/2; infinite where there is none. */
  readonly flowControlWindowBytes: number;
  /** In each direction; infinite where nothing limits it. */
  readonly bandwidthMbps: number;
}

/** Of two bounds the lower and the upper: equal where what is known says it exactly. */
export interface PredictedRoundTrips {
  readonly least: number;
  readonly most: number;
}

/** Payload of one TCP segment over Ethernet with time stamps, 1,500 − 20 (IP) − 20 (TCP) − 12, and what it is on the line. */
const segmentBytes = 1_448;
const segmentOnLineBytes = 1_514;

/** RFC 6928: a connection begins with ten segments. */
const initialSegments = 10;

/** What bytes of one direction pass: a connection and its line. */
export interface SendingPath {
  readonly isNew: boolean;
  readonly windowBytes: number;
  readonly rttMs: number;
  readonly bandwidthMbps: number;
}

/**
 * Milliseconds from the first byte sent to the last: slow start doubles the congestion window of a new connection with every flight (RFC
 * 5681), and no flight is larger than the receiver's window. A flight takes a round trip, or the time on the line where that is longer: then
 * the line is full, and bandwidth is all that counts. On a connection that is in use, and without a limit of the receiver, everything is one flight.
 */
export function sendingMs(bytes: number, { isNew, windowBytes, rttMs, bandwidthMbps }: SendingPath): number {
  const onLineMs = (some: number): number =>
    bandwidthMbps === Infinity ? 0 : (some * (segmentOnLineBytes / segmentBytes) * 8) / (bandwidthMbps * 1_000);
  let congestionWindow = isNew ? initialSegments * segmentBytes : Infinity;
  let left = bytes;
  let takesMs = 0;
  for (;;) {
    const flight = Math.min(congestionWindow, windowBytes);
    if (flight >= left) return takesMs + onLineMs(left);
    takesMs += Math.max(rttMs, onLineMs(flight));
    left -= flight;
    congestionWindow *= 2;
  }
}

/**
 * Milliseconds from the first byte of the request to the last of the answer. One handshake for TCP (RFC 9293) and one more for TLS 1.3 (RFC
 * 8446) on a new connection, and what the client waits for besides; then the request, whose last byte is answered by the first of the answer
 * one round trip later.
 */
function waitingMs(exchange: Exchange, rttMs: number, windowBytes: number): number {
  const { requestBytes, responseBytes, opensConnection, connectRoundTrips, tls, bandwidthMbps } = exchange;
  const way = { isNew: opensConnection, windowBytes, rttMs, bandwidthMbps };
  const handshakes = opensConnection ? 1 + Number(tls) + connectRoundTrips : 0;
  return (handshakes + 1) * rttMs + sendingMs(requestBytes, way) + sendingMs(responseBytes, way);
}

/** Of two bounds the lower and the upper, in ms. */
export interface PredictedMs {
  readonly leastMs: number;
  readonly mostMs: number;
}

/**
 * What a call waits for over this distance, without any time of a processor. Between a window of HTTP/2 and half of it: a receiver gives it
 * back when half has been read (nghttp2), and until then that much is missing.
 */
export function predictedMs(exchange: Exchange, rttMs: number): PredictedMs {
  const { windowBytes, flowControlWindowBytes } = exchange;
  const waiting = (flowControlled: number): number => waitingMs(exchange, rttMs, Math.min(windowBytes, flowControlled));
  return { leastMs: waiting(flowControlWindowBytes), mostMs: waiting(flowControlWindowBytes / 2) };
}

/** Far beyond what is measured, so that a number which has to be whole is. */
const decimals = 1e6;

/** Round trips as the slope over these round-trip times, two or more, of {@link predictedMs}. */
export function predictedRoundTrips(exchange: Exchange, rttsMs: readonly number[]): PredictedRoundTrips {
  const slopeOf = (bound: keyof PredictedMs): number => {
    const { slope } = lineFit(rttsMs.map((x) => ({ x, y: predictedMs(exchange, x)[bound] })));
    return Math.round(slope * decimals) / decimals;
  };
  const ends = [slopeOf("leastMs"), slopeOf("mostMs")] as const;
  return { least: Math.min(...ends), most: Math.max(...ends) };
}
