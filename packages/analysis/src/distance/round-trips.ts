// Round trips per call: the slope of latency against the measured round-trip time, beside what TCP and TLS must take. What is left at no
// distance, the intercept, is time of processors.
import type { StackAsSet } from "../run/stack-ids.ts";
import { mean } from "d3-array";
import { thresholds } from "../basics/thresholds.ts";
import { workFactors, stackAsSet } from "../run/arm-factors.ts";
import type { DistanceLine } from "./distance-lines.ts";
import { distanceFactor } from "./measured-distance.ts";
import { predictedRoundTrips, type Exchange, type PredictedRoundTrips } from "./predicted-round-trips.ts";
import type { Arm, Scalar } from "../run/run-facts.ts";
import { tInterval } from "../statistics/student-t.ts";
import { bytesText, durationText } from "../basics/words.ts";

/** What one way to call waits for, from its latency over distance. */
export interface RoundTrips extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  /** Every factor of the work but the distance. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Its arms, near to far. */
  readonly armIds: readonly string[];
  /** Of the first call between fresh processes, or of all others. */
  readonly isFirstCall: boolean;
  /** Calls of a task that wait for each other: all, or 1 where they are made at once. */
  readonly callsInSequence: number;
  /** Whether each call opened a connection of its own: counted. */
  readonly opensConnections: boolean;
  readonly tls: boolean;
  /** Both directions, as counted on the client's sockets. */
  readonly bytesPerCall: number;
  /** Slope of latency against the measured round-trip time, for each call in sequence. */
  readonly perCall: number;
  /** 95 % interval over rounds; null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** From first principles: handshakes, slow start, windows and bandwidth; not a whole number where the latter counts. */
  readonly predicted: number;
  /** More than that where HTTP/2 windows limit: they let through between half of them and all. Else the same. */
  readonly predictedMost: number;
  /** False where measured and predicted differ by more than 0.05 for each round trip, and the interval does not hold the predicted. */
  readonly asPredicted: boolean;
  /** Latency of a task that is left at no distance: time of processors. */
  readonly interceptMs: number;
  readonly interceptLowMs: number | null;
  readonly interceptHighMs: number | null;
  readonly rounds: number;
}

/** Calls of a task that wait for each other. */
export function callsInSequence({
  variant,
  callsPerTask,
  callsInSequence: recorded,
}: Pick<Arm, "variant" | "callsPerTask" | "callsInSequence">): number {
  return recorded ?? (variant === "chatty-parallel" ? 1 : callsPerTask);
}

/** Without an interval nothing is said to differ. */
function isAsPredicted(
  { least, most }: PredictedRoundTrips,
  { perCall, low, high }: Pick<RoundTrips, "perCall" | "low" | "high">,
): boolean {
  if (low === null || high === null) return true;
  const near = thresholds.bandPerRoundTrip * Math.max(1, most);
  if (perCall >= least - near && perCall <= most + near) return true;
  return low <= most && high >= least;
}

/** A first call opens the connection that it goes over, and is one call however many the task makes. */
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

/** Round trips per call of everything that was measured at two distances or more. */
export function roundTrips(
  lines: readonly DistanceLine[],
  exchangeOf: (arm: Arm) => Exchange | null,
): readonly RoundTrips[] {
  return lines.flatMap((line) => roundTripsOf(line, exchangeOf));
}

/** `2`, `8.31`, and `1 to 2` where only bounds are known. */
export function predictedText({ predicted, predictedMost }: Pick<RoundTrips, "predicted" | "predictedMost">): string {
  const ends = [predicted, predictedMost].map((value) => String(Number(value.toFixed(2))));
  return [...new Set(ends)].join(" to ");
}

/** More than the first flight of a new connection: what a congestion window has to grow for. */
function isBulk({ bytesPerCall }: RoundTrips): boolean {
  return bytesPerCall > 14_480;
}

interface Difference {
  readonly concerns: (row: RoundTrips) => boolean;
  readonly look: (row: RoundTrips) => string;
}

/** What of a call's bytes each round trip carried: where that is a window of somebody's, it is the limit. */
function carriedText({ bytesPerCall, perCall }: RoundTrips): string {
  return bytesText(bytesPerCall / perCall);
}

/** What to look at where more is waited for than must be, and where less is. */
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

/** Where to look for why measured and predicted differ; empty where they do not. */
export function whereToLook(row: RoundTrips): string {
  return differences.find(({ concerns }) => concerns(row))?.look(row) ?? "";
}
