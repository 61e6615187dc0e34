// Mean value analysis by exact recursion over all populations up to the network's own.
import { AnalysisError } from "../basics/analysis-error.ts";
import {
  checkNetwork,
  elapsedShare,
  workSeenMs,
  type CallerClass,
  type ClosedNetwork,
  type Station,
} from "./closed-network.ts";
import { closedPrediction, type ClosedPrediction } from "./closed-prediction.ts";
import { counted } from "../basics/words.ts";

/** Populations × stations × classes: less than a second. */
const mostSteps = 20_000_000;
/** Populations × stations: 80 MB of memory. */
const mostCells = 10_000_000;

function demandAt({ demands }: Station, caller: number): number {
  return demands[caller]?.demandMs ?? 0;
}

function requireTractable({ classes, stations }: ClosedNetwork): void {
  const populations = classes.reduce((product, { population }) => product * (population + 1), 1);
  const cells = populations * stations.length;
  if (cells <= mostCells && cells * classes.length <= mostSteps) return;
  const many = populations < 1e15 ? populations.toLocaleString("en-US") : "more than a thousand million million";
  throw new AnalysisError(
    "too-large",
    `exact mean value analysis would go through ${many} populations of ${counted(stations.length, "station")}; ` +
      "use fewer callers or classes",
  );
}

/**
 * Exact for product-form networks: exponential queues that serve all classes alike, delays, any think time. M. Reiser, S. S. Lavenberg, "Mean-Value
 * Analysis of Closed Multichain Queuing Networks", Journal of the ACM 27 (1980). Constant service, second phases and unequal classes are approximated
 * as in the study of 1996 and by Reiser (1979), as the prediction states. With constant service the utilisation of a saturated station may exceed 1,
 * by at most about 1 / 2N. Throws `bad-option` for an invalid network and `too-large` for a slow one.
 */
export function exactMva(network: ClosedNetwork): ClosedPrediction {
  checkNetwork(network);
  requireTractable(network);
  const { classes, stations } = network;
  const width = stations.length;
  // By class, then station, in typed arrays: the loop below runs millions of times.
  const demandMs = Float64Array.from(
    classes.flatMap((_, caller) => stations.map((station) => demandAt(station, caller))),
  );
  const residenceMs = new Float64Array(demandMs.length);
  const elapsed = Float64Array.from(stations, elapsedShare);
  const queues = Uint8Array.from(stations, ({ kind }) => Number(kind === "queue"));
  // Populations are numbered in a mixed radix: one caller fewer of a class is a fixed stride back, already computed.
  const strides: number[] = [];
  const populations = classes.reduce((stride, { population }) => {
    strides.push(stride);
    return stride * (population + 1);
  }, 1);
  const seenMs = new Float64Array(populations * width);

  // Population 0 has no work.
  for (let at = 1; at < populations; at += 1) {
    for (let caller = 0; caller < classes.length; caller += 1) {
      const { population, thinkMs } = classes[caller] as CallerClass;
      const stride = strides[caller] as number;
      const present = Math.floor(at / stride) % (population + 1);
      if (present === 0) continue;
      const fewer = (at - stride) * width;
      let cycleMs = thinkMs;
      for (let station = 0; station < width; station += 1) {
        const cell = caller * width + station;
        const own = demandMs[cell] as number;
        const queued = own > 0 && queues[station] === 1;
        const time = queued ? own + (seenMs[fewer + station] as number) : own;
        residenceMs[cell] = time;
        cycleMs += time;
      }
      for (let station = 0; station < width; station += 1) {
        const cell = caller * width + station;
        (seenMs[at * width + station] as number) += workSeenMs(
          demandMs[cell] as number,
          residenceMs[cell] as number,
          present / cycleMs,
          elapsed[station] as number,
        );
      }
    }
  }
  return closedPrediction(network, (station, caller) => residenceMs[caller * width + station] as number, []);
}
