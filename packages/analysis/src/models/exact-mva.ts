// Mean value analysis by the exact recursion over all populations up to the network's own.
import { AnalysisError } from "../analysis-error.ts";
import { checkNetwork, type CallerClass, type ClosedNetwork, type Demand } from "./closed-network.ts";
import { closedPrediction, type ClosedPrediction } from "./closed-prediction.ts";
import { elapsedShare, workSeenMs } from "./queue-seen.ts";

/** Populations × stations × classes: about a second. */
const mostSteps = 50_000_000;
/** Populations × stations: 80 MB. */
const mostCells = 10_000_000;

/** Throws `bad-option` for a network whose populations are too many to go through one by one. */
function requireTractable({ classes, stations }: ClosedNetwork): void {
  const populations = classes.reduce((product, { population }) => product * (population + 1), 1);
  const cells = populations * stations.length;
  if (cells <= mostCells && cells * classes.length <= mostSteps) return;
  throw new AnalysisError(
    "bad-option",
    `exact mean value analysis would go through ${populations.toLocaleString("en-US")} populations of ` +
      `${stations.length} stations; ask for the Schweitzer approximation, or for fewer callers or classes`,
  );
}

/**
 * Exact for what has a product form: exponential queues where all classes are served alike, delays, any thinking. M. Reiser, S. S.
 * Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", Journal of the ACM 27 (1980). Constant service, second phases and
 * classes that are served differently are approximated as in the study of 1996 and by Reiser (1979); the prediction says so. With constant
 * service the utilisation of a saturated station may come out above 1, by at most about 1 / 2N. Throws `bad-option` for what is no network,
 * and for one that is too large.
 */
export function exactMva(network: ClosedNetwork): ClosedPrediction {
  checkNetwork(network);
  requireTractable(network);
  const { classes, stations } = network;
  const elapsed = stations.map(elapsedShare);
  const demandMs = stations.map(({ demands }) => demands.map((demand: Demand) => demand.demandMs));
  const isQueue = stations.map(({ kind }) => kind === "queue");
  // Populations are numbered in a mixed radix: one caller of a class fewer is a fixed stride back, and known already.
  const strides: number[] = [];
  const populations = classes.reduce((stride, { population }) => {
    strides.push(stride);
    return stride * (population + 1);
  }, 1);
  /** The work that an arrival finds at each station, at each population. */
  const seenMs = new Float64Array(populations * stations.length);
  const residence = new Float64Array(stations.length * classes.length);

  for (let at = 0; at < populations; at += 1) {
    const row = at * stations.length;
    classes.forEach(({ population, thinkMs }: CallerClass, caller) => {
      const stride = strides[caller] as number;
      const present = Math.floor(at / stride) % (population + 1);
      if (present === 0) return;
      const fewer = (at - stride) * stations.length;
      let cycleMs = thinkMs;
      for (let station = 0; station < stations.length; station += 1) {
        const own = demandMs[station]?.[caller] as number;
        const time = own === 0 || isQueue[station] !== true ? own : own + (seenMs[fewer + station] as number);
        residence[station * classes.length + caller] = time;
        cycleMs += time;
      }
      for (let station = 0; station < stations.length; station += 1) {
        const time = residence[station * classes.length + caller] as number;
        const own = demandMs[station]?.[caller] as number;
        (seenMs[row + station] as number) += workSeenMs(own, time, present / cycleMs, elapsed[station] as number);
      }
    });
  }
  return closedPrediction(network, (station, caller) => residence[station * classes.length + caller] as number, []);
}
