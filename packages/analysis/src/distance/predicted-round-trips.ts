// Predicts the round trips of a call from TCP, TLS, HTTP/2 and the bandwidth, without any processor time.
import { lineFit } from "../statistics/line-fit.ts";

/** One call as the network sees it. */
export interface Exchange {
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly opensConnection: boolean;
  /** Round trips of the client on a new connection beyond the handshakes. */
  readonly connectRoundTrips: number;
  readonly tls: boolean;
  /** Receive window of TCP; infinite where it does not limit the call. */
  readonly windowBytes: number;
  /** Flow-control window of HTTP/2; infinite without HTTP/2. */
  readonly flowControlWindowBytes: number;
  /** Per direction; infinite without a limit. */
  readonly bandwidthMbps: number;
}

/** Lower and upper bound; equal where the prediction is exact. */
export interface PredictedRoundTrips {
  readonly least: number;
  readonly most: number;
}

/** Payload of one TCP segment over Ethernet with time stamps, 1,500 − 20 (IP) − 20 (TCP) − 12, and its size on the line. */
const segmentBytes = 1_448;
const segmentOnLineBytes = 1_514;

/** RFC 6928: a connection starts with ten segments. */
const initialSegments = 10;

export interface SendingPath {
  readonly isNew: boolean;
  readonly windowBytes: number;
  readonly rttMs: number;
  readonly bandwidthMbps: number;
}

/**
 * Returns the milliseconds from the first byte sent to the last. On a new connection, slow start doubles the congestion window with every flight (RFC
 * 5681), up to the receiver's window. A flight takes a round trip, or its time on the line if that is longer: bandwidth then limits. On a used
 * connection without a receiver's limit, one flight carries everything.
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
 * Returns the milliseconds from the first byte of the request to the last of the answer. A new connection adds one handshake for TCP (RFC 9293), one
 * for TLS 1.3 (RFC 8446) and the client's own round trips. The first byte of the answer arrives one round trip after the last byte of the request is
 * sent.
 */
function waitingMs(exchange: Exchange, rttMs: number, windowBytes: number): number {
  const { requestBytes, responseBytes, opensConnection, connectRoundTrips, tls, bandwidthMbps } = exchange;
  const path = { isNew: opensConnection, windowBytes, rttMs, bandwidthMbps };
  const handshakes = opensConnection ? 1 + Number(tls) + connectRoundTrips : 0;
  return (handshakes + 1) * rttMs + sendingMs(requestBytes, path) + sendingMs(responseBytes, path);
}

export interface PredictedMs {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Without processor time. HTTP/2 lets through between half a window and all of it: nghttp2 returns a window after reading half. */
export function predictedMs(exchange: Exchange, rttMs: number): PredictedMs {
  const { windowBytes, flowControlWindowBytes } = exchange;
  const waiting = (flowControlled: number): number => waitingMs(exchange, rttMs, Math.min(windowBytes, flowControlled));
  return { leastMs: waiting(flowControlWindowBytes), mostMs: waiting(flowControlWindowBytes / 2) };
}

/** Far finer than measurements, but it makes whole numbers whole. */
const decimals = 1e6;

/** Returns round trips as the slope of {@link predictedMs} over two or more round-trip times. */
export function predictedRoundTrips(exchange: Exchange, rttsMs: readonly number[]): PredictedRoundTrips {
  const slopeOf = (bound: keyof PredictedMs): number => {
    const { slope } = lineFit(rttsMs.map((x) => ({ x, y: predictedMs(exchange, x)[bound] })));
    return Math.round(slope * decimals) / decimals;
  };
  const ends = [slopeOf("leastMs"), slopeOf("mostMs")] as const;
  return { least: Math.min(...ends), most: Math.max(...ends) };
}
