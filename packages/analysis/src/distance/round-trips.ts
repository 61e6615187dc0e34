// Round trips per call: the slope of latency against the measured round-trip time, beside the prediction for TCP and TLS. The intercept is processor
// time.
import { stackAsSet, workFactors, type Arm, type Scalar, type StackAsSet } from "@roundtrip/runs";
import { mean } from "d3-array";
import { thresholds } from "../basics/thresholds.ts";
import { distanceFactor, type DistanceLine } from "./distance-lines.ts";
import { predictedRoundTrips, type Exchange, type PredictedRoundTrips } from "./predicted-round-trips.ts";
import { tInterval } from "../statistics/student-t.ts";
import { bytesText, durationText } from "../basics/words.ts";

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
  readonly interceptLowMs: number | null;
  readonly interceptHighMs: number | null;
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
  const atNoDistance = tInterval(intercepts);
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
      interceptLowMs: atNoDistance?.low ?? null,
      interceptHighMs: atNoDistance?.high ?? null,
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

/** Whether a call exceeds the first flight of a new connection, so that its congestion window has to grow. */
function isBulk({ bytesPerCall }: RoundTrips): boolean {
  return bytesPerCall > 14_480;
}

interface Difference {
  readonly concerns: (row: RoundTrips) => boolean;
  readonly look: (row: RoundTrips) => string;
}

/** Bytes per round trip: equal to a window where that window limits. */
function carriedText({ bytesPerCall, perCall }: RoundTrips): string {
  return bytesText(bytesPerCall / perCall);
}

const differences: readonly Difference[] = [
  {
    concerns: ({ perCall, predictedMost, opensConnections }) => perCall > predictedMost && opensConnections,
    look: () =>
      "look at what the client waits for on a new connection besides its handshakes, at windows, and at a processor that was busy",
  },
  {
    concerns: (row) => row.perCall > row.predictedMost && !row.opensConnections && !isBulk(row),
    look: () =>
      "look at connections, at windows (of TCP and of HTTP/2), at lost packets, and at a link or processor that was busy",
  },
  {
    concerns: (row) => row.perCall > row.predictedMost && !row.opensConnections && isBulk(row),
    look: (row) =>
      `each round trip carried ${carriedText(row)}: look for a receive window of about that size (ss -ti shows rcv_space and snd_wnd; net.ipv4.tcp_rmem limits it, whatever is set), at a congestion window that has not grown to what a call moves, at lost packets, which halve it, and at a link or processor that was busy`,
  },
  {
    concerns: (row) => row.perCall < row.predicted && isBulk(row) && row.interceptMs > 0,
    look: ({ interceptMs }) =>
      `the line is too flat: ${durationText(interceptMs)} are left at no distance, so near by something else was the limit (a processor, the emulator, the line), and distance added less; if not, look at whether the link was what it says, and at windows that are larger than said`,
  },
  {
    concerns: ({ perCall, predicted }) => perCall < predicted,
    look: () => "look at whether the link was what it says, and at windows that are larger than said",
  },
];

/** Returns what to check where measured and predicted differ; empty where they agree. */
export function whereToLook(row: RoundTrips): string {
  return differences.find(({ concerns }) => concerns(row))?.look(row) ?? "";
}
