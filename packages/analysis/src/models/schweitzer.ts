// Mean value analysis for populations that are too many to go through: what one caller fewer would find is estimated, not computed.
import { AnalysisError } from "../basics/analysis-error.ts";
import { checkNetwork, elapsedShare, workSeenMs, type CallerClass, type ClosedNetwork } from "./closed-network.ts";
import { closedPrediction, type ClosedPrediction } from "./closed-prediction.ts";

const mostRounds = 100_000;
/** Relative change of a residence time below which the figures stand. */
const tolerance = 1e-12;

/**
 * The fixed point at which one caller fewer leaves every queue of its class shorter by its share, Q(N − 1) ≈ Q(N) (N − 1) / N: P. Schweitzer,
 * "Approximate Analysis of Multiclass Closed Networks of Queues" (1979); Y. Bard, "Some Extensions to Multiclass Queueing Network Analysis"
 * (1979). Exact for one caller of each class alone; otherwise a few per cent off, most where queues are shared by few callers. Constant
 * service and second phases as in the exact recursion. Throws `bad-option` for what is no network, `no-solution` when the figures do not settle.
 */
export function schweitzer(network: ClosedNetwork): ClosedPrediction {
  checkNetwork(network);
  const { classes, stations } = network;
  const own = (station: number, caller: number): number => stations[station]?.demands[caller]?.demandMs ?? 0;
  const elapsed = stations.map(elapsedShare);
  /** By station, then class; the start is a network without queues. */
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
