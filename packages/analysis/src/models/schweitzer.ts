// Approximate mean value analysis for large populations: estimates what one caller fewer would find.
import { AnalysisError } from "../basics/analysis-error.ts";
import { checkNetwork, elapsedShare, workSeenMs, type CallerClass, type ClosedNetwork } from "./closed-network.ts";
import { closedPrediction, type ClosedPrediction } from "./closed-prediction.ts";

const mostRounds = 100_000;
/** Relative change of a residence time at which the iteration stops. */
const tolerance = 1e-12;

/**
 * The fixed point at which one caller fewer shortens every queue of its class by its share, Q(N − 1) ≈ Q(N) (N − 1) / N: P. Schweitzer, "Approximate
 * Analysis of Multiclass Closed Networks of Queues" (1979); Y. Bard, "Some Extensions to Multiclass Queueing Network Analysis" (1979). Exact for a
 * single caller of each class; otherwise a few per cent off, most where few callers share queues. Constant service and second phases as in the exact
 * recursion. Throws `bad-option` for an invalid network, `no-solution` without convergence.
 */
export function schweitzer(network: ClosedNetwork): ClosedPrediction {
  checkNetwork(network);
  const { classes, stations } = network;
  const own = (station: number, caller: number): number => stations[station]?.demands[caller]?.demandMs ?? 0;
  const elapsed = stations.map(elapsedShare);
  /** By station, then class. Starts with a network without queues. */
  let residence = stations.map(({ demands }) => demands.map(({ demandMs }) => demandMs));

  for (let round = 0; round < mostRounds; round += 1) {
    const perMs = classes.map(({ population, thinkMs }: CallerClass, caller) => {
      const time = residence.reduce((sum, row) => sum + (row[caller] as number), 0);
      return population / (thinkMs + time);
    });
    const next = stations.map(({ kind }, station) => {
      const work = classes.map((_, caller) =>
        workSeenMs(
          own(station, caller),
          residence[station]?.[caller] as number,
          perMs[caller] as number,
          elapsed[station] as number,
        ),
      );
      const all = work.reduce((sum, one) => sum + one, 0);
      return classes.map(({ population }, caller) => {
        const demandMs = own(station, caller);
        if (kind === "delay" || demandMs === 0 || population === 0) return demandMs;
        return demandMs + all - (work[caller] as number) / population;
      });
    });
    const moved = next.some((row, station) =>
      row.some((time, caller) => Math.abs(time - (residence[station]?.[caller] as number)) > tolerance * time),
    );
    residence = next;
    if (!moved) {
      const method = classes.some(({ population }) => population > 1)
        ? ["what one caller fewer finds is estimated"]
        : [];
      return closedPrediction(network, (station, caller) => residence[station]?.[caller] as number, method);
    }
  }
  throw new AnalysisError(
    "no-solution",
    `the figures of this network do not settle within ${mostRounds} rounds; ask for exact mean value analysis with fewer callers`,
  );
}
