// Keeps a prediction within the capacity of its busiest station, which the approximation of constant service may exceed.
import { asymptoticBounds } from "./asymptotic-bounds.ts";
import type { ClosedNetwork } from "./closed-network.ts";
import type { ClosedPrediction } from "./closed-prediction.ts";

/**
 * Returns the prediction, or one in which the busiest station of a network with one class is busy all the time and callers wait there for the rest of
 * the cycle. No network exceeds X = 1 / D max: P. J. Denning, J. P. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys
 * 10 (1978). Throws `bad-option` for several classes.
 */
export function withinCapacity(network: ClosedNetwork, prediction: ClosedPrediction): ClosedPrediction {
  const { bottleneck, ceilingHz } = asymptoticBounds(network);
  const [only] = prediction.classes;
  if (only === undefined || only.roundTripMs === null || ceilingHz === null || only.throughputHz <= ceilingHz) {
    return prediction;
  }
  const share = ceilingHz / only.throughputHz;
  const addedMs = 1_000 * only.population * (1 / ceilingHz - 1 / only.throughputHz);
  return {
    classes: [{ ...only, throughputHz: ceilingHz, roundTripMs: only.roundTripMs + addedMs }],
    stations: prediction.stations.map(({ name, utilisation, residenceMs: [ownMs = null] }) => {
      const atBottleneckMs = name === bottleneck ? addedMs : 0;
      const residenceMs = ownMs === null ? null : ownMs + atBottleneckMs;
      return {
        name,
        utilisation: utilisation === null ? null : utilisation * share,
        present: [((residenceMs ?? 0) * ceilingHz) / 1_000],
        residenceMs: [residenceMs],
      };
    }),
    approximations: [...prediction.approximations, "no station is taken to be busier than all the time"],
  };
}
