// M/G/1: Poisson arrivals, service times of any distribution, one server, first come first served.
import { requirePositive, requireZeroOrPositive, stableUtilisation } from "./model-input.ts";
import { byLittlesLaw, type OpenPrediction } from "./open-prediction.ts";

export interface Mg1Load {
  readonly rateHz: number;
  readonly serviceMs: number;
  /** Squared coefficient of variation of the service time, variance / mean²: 0 for constant service, 1 for exponential. */
  readonly serviceScv: number;
}

export function scvOf(serviceMs: number, serviceStddevMs: number): number {
  return (serviceStddevMs / serviceMs) ** 2;
}

/**
 * E[W] = ρ E[S] (1 + C²) / (2 (1 − ρ)), after Pollaczek and Khinchine: L. Kleinrock, "Queueing Systems", volume 1 (1975), section 5.6. Mean and
 * variance determine only the mean, so there are no percentiles. Throws `unstable-load` from λ = μ on, `bad-option` for a rate or time that is not
 * positive or a negative variation.
 */
export function mg1({ rateHz, serviceMs, serviceScv }: Mg1Load): OpenPrediction {
  requirePositive("the rate", rateHz);
  requirePositive("the service time", serviceMs);
  requireZeroOrPositive("the squared coefficient of variation", serviceScv);
  const utilisation = stableUtilisation(rateHz, serviceMs, 1);
  const waitingMs = (utilisation * serviceMs * (1 + serviceScv)) / (2 * (1 - utilisation));
  return byLittlesLaw({ rateHz, serviceMs, utilisation, waitingProbability: utilisation, waitingMs }, null);
}
