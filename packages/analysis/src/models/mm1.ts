// M/M/1: Poisson arrivals, exponential service, one server, first come first served.
import { requirePositive, stableUtilisation } from "./model-input.ts";
import { byLittlesLaw, percentilesBy, type OpenPrediction } from "./open-prediction.ts";

export interface Mm1Load {
  readonly rateHz: number;
  readonly serviceMs: number;
}

/**
 * E[R] = 1 / (μ − λ), and R is exponential: L. Kleinrock, "Queueing Systems", volume 1 (1975), section 3.2.
 * Throws `unstable-load` from λ = μ on, `bad-option` for a rate or time that is not positive.
 */
export function mm1({ rateHz, serviceMs }: Mm1Load): OpenPrediction {
  requirePositive("the rate", rateHz);
  requirePositive("the service time", serviceMs);
  const utilisation = stableUtilisation(rateHz, serviceMs, 1);
  const responseMs = serviceMs / (1 - utilisation);
  return byLittlesLaw(
    { rateHz, serviceMs, utilisation, waitingProbability: utilisation, waitingMs: utilisation * responseMs },
    percentilesBy((share) => -Math.log1p(-share) * responseMs),
  );
}
