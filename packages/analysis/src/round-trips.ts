// Round trips per call: the slope of latency against the measured round-trip time, beside what TCP and TLS must take. What is left at no
// distance, the intercept, is time of processors.
import { mean } from "d3-array";
import { workFactors } from "./arm-factors.ts";
import type { DistanceLine } from "./distance-lines.ts";
import { distanceFactor } from "./measured-distance.ts";
import { predictedRoundTrips, type Exchange } from "./predicted-round-trips.ts";
import type { RoundTrips } from "./result.ts";
import type { Arm, Warning } from "./run.ts";
import { tInterval } from "./t-interval.ts";
import { listed } from "./words.ts";

/** Calls of a task that wait for each other. */
export function callsInSequence({ variant, callsPerTask }: Pick<Arm, "variant" | "callsPerTask">): number {
  return variant === "chatty-parallel" ? 1 : callsPerTask;
}

/** A measured slope this near to what must be is as good as it. */
const tolerance = 0.05;

/** Without an interval nothing is said to differ. */
function isAsPredicted(measured: number, predicted: number, low: number | null, high: number | null): boolean {
  if (low === null || high === null || Math.abs(measured - predicted) <= tolerance) return true;
  return low <= predicted && predicted <= high;
}

/** A first call opens the connection that it goes over, and is one call however many the task makes. */
function asFirstCall(exchange: Exchange | null): Exchange | null {
  return exchange === null ? null : { ...exchange, opensConnection: true };
}

function roundTripsOf(
  { arms, lines, of }: DistanceLine,
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
  const predicted = predictedRoundTrips(exchange);
  const { study, task, stack, title, variant } = nearest;
  const factors = Object.entries(workFactors(nearest)).filter(([name]) => name !== distanceFactor);
  return [
    {
      study,
      task,
      stack,
      title,
      variant,
      factors: Object.fromEntries(factors),
      armIds: arms.map(({ id }) => id),
      isFirstCall,
      callsInSequence: calls,
      opensConnections: exchange.opensConnection,
      tls: exchange.tls,
      bytesPerCall: exchange.requestBytes + exchange.responseBytes,
      perCall,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      predicted,
      asPredicted: isAsPredicted(perCall, predicted, interval?.low ?? null, interval?.high ?? null),
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

/** `the first hello over gRPC 3.10 (95 % interval 3.02 to 3.18) where 2 must be`. */
function differenceText({ isFirstCall, task, variant, title, perCall, low, high, predicted }: RoundTrips): string {
  const way = ["single", "facade"].includes(variant) ? "" : `, ${variant},`;
  const interval = `95 % interval ${low?.toFixed(2)} to ${high?.toFixed(2)}`;
  return `${isFirstCall ? "the first " : ""}${task}${way} over ${title} ${perCall.toFixed(2)} (${interval}) where ${predicted} must be`;
}

interface Difference {
  readonly concerns: (row: RoundTrips) => boolean;
  readonly look: string;
}

/** What to look at where more is waited for than must be, and where less is. */
const differences: readonly Difference[] = [
  {
    concerns: ({ perCall, predicted, opensConnections }) => perCall > predicted && opensConnections,
    look: "look at what the client waits for on a new connection besides its handshakes, at windows, and at a processor that was busy",
  },
  {
    concerns: ({ perCall, predicted, opensConnections }) => perCall > predicted && !opensConnections,
    look: "look at connections, at windows (of TCP and of HTTP/2), at lost packets, and at a link or processor that was busy",
  },
  {
    concerns: ({ perCall, predicted }) => perCall < predicted,
    look: "look at whether the link was what it says, and at windows that are larger than said",
  },
];

/** Warnings about the cells of which measured and predicted round trips differ by more than the interval and 0.05, one for each thing to look at. */
export function unexplainedRoundTrips(rows: readonly RoundTrips[]): readonly Warning[] {
  const strange = rows.filter(({ asPredicted }) => !asPredicted);
  return differences.flatMap(({ concerns, look }) => {
    const concerned = strange.filter(concerns);
    if (concerned.length === 0) return [];
    const message = `more or fewer round trips were waited for than must be: ${listed(concerned.map(differenceText))}; ${look}`;
    return [{ code: "round-trips-differ", message }];
  });
}
