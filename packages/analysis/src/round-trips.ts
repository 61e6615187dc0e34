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
import { counted, listed } from "./words.ts";

/** Calls of a task that wait for each other. */
export function callsInSequence({ variant, callsPerTask }: Pick<Arm, "variant" | "callsPerTask">): number {
  return variant === "chatty-parallel" ? 1 : callsPerTask;
}

/** A measured slope this near to what must be is as good as it. */
const tolerance = 0.05;

function isAsPredicted(measured: number, predicted: number, low: number | null, high: number | null): boolean {
  if (Math.abs(measured - predicted) <= tolerance) return true;
  return low !== null && high !== null && low <= predicted && predicted <= high;
}

function roundTripsOf({ arms, lines }: DistanceLine, exchangeOf: (arm: Arm) => Exchange | null): readonly RoundTrips[] {
  const [nearest] = arms;
  const fitted = lines.filter((line) => line !== null);
  const exchange = exchangeOf(nearest);
  if (fitted.length === 0 || exchange === null) return [];
  const calls = callsInSequence(nearest);
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

/** What to look at where more is waited for than must be, and where less is. */
function causeText({ perCall, predicted, opensConnections }: RoundTrips): string {
  if (perCall < predicted) return "look at whether the link was what it says, and at windows that are larger than said";
  const connections = opensConnections ? "at what a new connection waits for besides its handshakes" : "at connections";
  return `look ${connections}, at windows (of TCP and of HTTP/2), at lost packets, and at a link or processor that was busy`;
}

/** A warning for each cell of which measured and predicted round trips differ by more than the interval and 0.05. */
export function unexplainedRoundTrips(rows: readonly RoundTrips[]): readonly Warning[] {
  return rows
    .filter(({ asPredicted }) => !asPredicted)
    .map((row) => {
      const { perCall, predicted, low, high, title, variant, task, rounds } = row;
      const interval =
        low === null || high === null
          ? `no interval from ${counted(rounds, "round")}`
          : `95 % interval ${listed([low.toFixed(2), high.toFixed(2)]).replace("and", "to")}`;
      return {
        code: "round-trips-differ",
        message:
          `each call of ${task} ${variant} over ${title} waited for ${perCall.toFixed(2)} round trips (${interval}), ` +
          `and must wait for ${predicted}: ${causeText(row)}`,
        armId: row.armIds.at(-1) ?? "",
      };
    });
}
