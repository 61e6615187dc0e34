// Round trips per call: the slope of latency against the measured round-trip time, beside the prediction from TCP, TLS, HTTP/2 and the bandwidth,
// without any processor time. The intercept is processor time.
import {
  stackAsSet,
  workFactors,
  type Arm,
  type Environment,
  type RunFacts,
  type Scalar,
  type StackAsSet,
} from "@roundtrip/runs";
import { mean } from "d3-array";
import { thresholds } from "../basics/thresholds.ts";
import { bytesText } from "../basics/words.ts";
import { distanceFactor, type DistanceLine } from "./distance-lines.ts";
import type { Traffic } from "../metrics/gathered-calls.ts";
import { lineFit, tInterval } from "../statistics/student-t.ts";

/** One call as the network sees it. */
export interface Exchange {
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly opensConnection: boolean;
  /** Round trips on a new connection beyond the handshakes of TCP and TLS 1.3. */
  readonly connectRoundTrips: number;
  /** Whether each body waits until the server asks for it (RFC 9110, section 10.1.1). */
  readonly asksFirst: boolean;
  readonly tls: boolean;
  /** Receive window of TCP, and the receivers that have it; infinite where it does not limit the call. */
  readonly windowBytes: number;
  readonly windowAt: "both" | "client" | "server";
  /** Of a new connection. */
  readonly initialSegments: number;
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
const usualInitialSegments = 10;

export interface SendingPath {
  readonly isNew: boolean;
  readonly windowBytes: number;
  readonly initialSegments: number;
  readonly rttMs: number;
  readonly bandwidthMbps: number;
}

/**
 * Returns the milliseconds from the first byte sent to the last. On a new connection, slow start doubles the congestion window with every flight (RFC
 * 5681), up to the receiver's window. A flight takes a round trip, or its time on the line if that is longer: bandwidth then limits. On a used
 * connection without a receiver's limit, one flight carries everything.
 */
export function sendingMs(
  bytes: number,
  { isNew, windowBytes, initialSegments, rttMs, bandwidthMbps }: SendingPath,
): number {
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

/** The TCP window of the end that receives; infinite where it has none. */
export function tcpWindowAt(receiver: "client" | "server", { windowBytes, windowAt }: Exchange): number {
  return windowAt === "both" || windowAt === receiver ? windowBytes : Infinity;
}

/**
 * Returns the milliseconds from the first byte of the request to the last of the answer. A new connection adds one handshake for TCP (RFC 9293), one
 * for TLS 1.3 (RFC 8446) and the client's own round trips. The first byte of the answer arrives one round trip after the last byte of the request is
 * sent.
 */
function waitingMs(exchange: Exchange, rttMs: number, flowControlled: number): number {
  const { requestBytes, responseBytes, opensConnection, connectRoundTrips, tls, asksFirst } = exchange;
  const path = (receiver: "client" | "server"): SendingPath => ({
    ...exchange,
    isNew: opensConnection,
    windowBytes: Math.min(flowControlled, tcpWindowAt(receiver, exchange)),
    rttMs,
  });
  const handshakes = opensConnection ? 1 + Number(tls) + connectRoundTrips : 0;
  return (
    (handshakes + Number(asksFirst) + 1) * rttMs +
    sendingMs(requestBytes, path("server")) +
    sendingMs(responseBytes, path("client"))
  );
}

export interface PredictedMs {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Without processor time. HTTP/2 lets through between half a window and all of it: nghttp2 returns a window after reading half. */
export function predictedMs(exchange: Exchange, rttMs: number): PredictedMs {
  const { flowControlWindowBytes } = exchange;
  return {
    leastMs: waitingMs(exchange, rttMs, flowControlWindowBytes),
    mostMs: waitingMs(exchange, rttMs, flowControlWindowBytes / 2),
  };
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

/** With a connection for at least every second call, each call is meant to open its own. */
const mostlyOwn = 0.5;

/** A limit from the arm's link or its stack's settings; infinite without one. */
function limitOf(arm: Arm, { settings = {} }: Environment, name: string): number {
  return Number({ ...settings[arm.stack], ...arm.factors }[name] ?? Infinity);
}

/** A full handshake of TLS 1.2 takes a round trip more; a resumed one does not (RFC 5246, section 7.3). */
function hasOlderHandshake({ factors }: Arm): boolean {
  return factors["tls"] === true && factors["tlsVersion"] === "1.2" && factors["tlsResumption"] === false;
}

function windowEndOf({ factors }: Arm): Exchange["windowAt"] {
  const { windowAt } = factors;
  return windowAt === "client" || windowAt === "server" ? windowAt : "both";
}

/** Returns the mean call of an arm; null for an arm without calls. */
export function exchangeOfArm(
  facts: Pick<RunFacts, "arms" | "blocks" | "environment">,
  traffic: readonly Traffic[],
): (arm: Arm) => Exchange | null {
  const sums = new Map(facts.arms.map(({ id }, index) => [id, traffic[index]]));
  const blocks = Map.groupBy(facts.blocks, ({ armId }) => armId);
  return (arm) => {
    const sum = sums.get(arm.id);
    if (sum === undefined || sum.calls === 0) return null;
    const own = blocks.get(arm.id) ?? [];
    const opened = own.reduce((total, block) => total + block.connectionsOpened, 0);
    const calls = own.reduce((total, block) => total + block.calls, 0);
    return {
      requestBytes: sum.requestBytes / sum.calls,
      responseBytes: sum.responseBytes / sum.calls,
      opensConnection: opened > mostlyOwn * calls,
      connectRoundTrips: (arm.connectRoundTrips ?? 0) + Number(hasOlderHandshake(arm)),
      asksFirst: arm.factors["expectContinue"] === true,
      tls: arm.factors["tls"] === true || facts.environment.tls === true,
      windowBytes: limitOf(arm, facts.environment, "receiveWindowBytes"),
      windowAt: windowEndOf(arm),
      initialSegments: Number(arm.factors["initialWindowSegments"] ?? usualInitialSegments),
      flowControlWindowBytes: limitOf(arm, facts.environment, "flowControlWindowBytes"),
      bandwidthMbps: limitOf(arm, facts.environment, "bandwidthMbps"),
    };
  };
}

export interface RoundTrips extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  /** All factors except the distance. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Near to far. */
  readonly armIds: readonly string[];
  readonly isFirstCall: boolean;
  /** Calls of a task that wait for each other: all, or 1 where they are made at once. */
  readonly callsInSequence: number;
  /** Whether each call opened its own connection, as counted. */
  readonly opensConnections: boolean;
  readonly tls: boolean;
  /** Both directions, as counted on the client's sockets. */
  readonly bytesPerCall: number;
  /** Slope of latency against the measured round-trip time, per call in sequence. */
  readonly perCall: number;
  /** 95 % interval over rounds; null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** Predicted from handshakes, slow start, windows and bandwidth. Not a whole number where bandwidth limits. */
  readonly predicted: number;
  /** Upper bound where HTTP/2 windows limit: they let through between half a window and a whole one. Otherwise equal. */
  readonly predictedMost: number;
  /** False where measured and predicted differ by more than 0.05 per round trip and the interval does not contain the prediction. */
  readonly asPredicted: boolean;
  /** Latency of a task at no distance: processor time. */
  readonly interceptMs: number;
  readonly rounds: number;
}

export function callsInSequence({
  variant,
  callsPerTask,
  callsInSequence: recorded,
}: Pick<Arm, "variant" | "callsPerTask" | "callsInSequence">): number {
  return recorded ?? (variant === "chatty-parallel" ? 1 : callsPerTask);
}

/** Without an interval, no difference is claimed. */
function isAsPredicted(
  { least, most }: PredictedRoundTrips,
  { perCall, low, high }: Pick<RoundTrips, "perCall" | "low" | "high">,
): boolean {
  if (low === null || high === null) return true;
  const near = thresholds.bandPerRoundTrip * Math.max(1, most);
  if (perCall >= least - near && perCall <= most + near) return true;
  return low <= most && high >= least;
}

/** A first call opens its connection, and is one call for any task. */
function asFirstCall(exchange: Exchange | null): Exchange | null {
  return exchange === null ? null : { ...exchange, opensConnection: true };
}

function roundTripsOf(
  { arms, lines, of, rttMs }: DistanceLine,
  exchangeOf: (arm: Arm) => Exchange | null,
): readonly RoundTrips[] {
  const [nearest] = arms;
  const fitted = lines.filter((line) => line !== null);
  const isFirstCall = of === "first call";
  const exchange = isFirstCall ? asFirstCall(exchangeOf(nearest)) : exchangeOf(nearest);
  if (fitted.length === 0 || exchange === null) return [];
  const calls = isFirstCall ? 1 : callsInSequence(nearest);
  const slopes = fitted.map(({ slope }) => slope / calls);
  const intercepts = fitted.map(({ intercept }) => intercept);
  const [perCall, interval] = [mean(slopes) as number, tInterval(slopes)];
  const measured = { perCall, low: interval?.low ?? null, high: interval?.high ?? null };
  const predicted = predictedRoundTrips(exchange, rttMs);
  const { study, task, variant } = nearest;
  const factors = Object.entries(workFactors(nearest)).filter(([name]) => name !== distanceFactor);
  return [
    {
      study,
      task,
      ...stackAsSet(nearest),
      variant,
      factors: Object.fromEntries(factors),
      armIds: arms.map(({ id }) => id),
      isFirstCall,
      callsInSequence: calls,
      opensConnections: exchange.opensConnection,
      tls: exchange.tls,
      bytesPerCall: exchange.requestBytes + exchange.responseBytes,
      ...measured,
      predicted: predicted.least,
      predictedMost: predicted.most,
      asPredicted: isAsPredicted(predicted, measured),
      interceptMs: mean(intercepts) as number,
      rounds: fitted.length,
    },
  ];
}

export function roundTrips(
  lines: readonly DistanceLine[],
  exchangeOf: (arm: Arm) => Exchange | null,
): readonly RoundTrips[] {
  return lines.flatMap((line) => roundTripsOf(line, exchangeOf));
}

/** `2`, `8.31`, or `1 to 2` where only bounds are known. */
export function predictedText({ predicted, predictedMost }: Pick<RoundTrips, "predicted" | "predictedMost">): string {
  const ends = [predicted, predictedMost].map((value) => String(Number(value.toFixed(2))));
  return [...new Set(ends)].join(" to ");
}

/** A call beyond the first flight of a new connection, whose congestion window has to grow. */
const bulkBytes = 14_480;

/** Returns what to check where measured and predicted differ; empty where they agree. */
export function whereToLook({ perCall, predicted, predictedMost, bytesPerCall }: RoundTrips): string {
  if (perCall < predicted) return "look at whether the link was what it says, and at windows that are larger than said";
  if (perCall <= predictedMost) return "";
  // Equal to a window where that window limits.
  const carried = bytesPerCall > bulkBytes ? `each round trip carried ${bytesText(bytesPerCall / perCall)}: ` : "";
  return `${carried}look at connections, at windows (of TCP and of HTTP/2), at lost packets, and at a link or processor that was busy`;
}
