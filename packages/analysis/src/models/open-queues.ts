// Open queues with Poisson arrivals, first come first served: M/M/1 and M/M/c (exponential service, one server or c equal servers)
// and M/G/1 (service times of any distribution, one server).
import { requirePositive, requireWhole, requireZeroOrPositive, stableUtilisation } from "./model-input.ts";
import { byLittlesLaw, type OpenPrediction, percentilesBy } from "./open-prediction.ts";

/**
 * The probability of waiting with `servers` servers of this `utilisation` (below 1). Uses the recurrence of Erlang's B, whose terms stay between 0
 * and 1; the factorials of the textbook form overflow. R. B. Cooper, "Introduction to Queueing Theory" (1981), section 3.4.
 */
function erlangC(servers: number, utilisation: number): number {
  const offered = utilisation * servers;
  let blocking = 1;
  for (let count = 1; count <= servers; count += 1) {
    blocking = (offered * blocking) / (count + offered * blocking);
  }
  return blocking / (1 - utilisation * (1 - blocking));
}

/** More would take seconds to compute. */
export const mostServers = 100_000;

export interface MmcLoad {
  readonly rateHz: number;
  readonly serviceMs: number;
  readonly servers: number;
}

/** (1 − e⁻ˣ) / x, which is 1 at 0. */
function meanDecay(x: number): number {
  return x === 0 ? 1 : -Math.expm1(-x) / x;
}

/**
 * P(R > t). R of a waiting request is the sum of two exponential times: service with rate μ, and waiting with rate cμ − λ. The slower is factored
 * out, so that equal rates and long times lose no digits.
 */
function exceeds(timeMs: number, waitingProbability: number, servicePerMs: number, waitingPerMs: number): number {
  const slow = Math.min(servicePerMs, waitingPerMs);
  const apart = Math.abs(servicePerMs - waitingPerMs);
  const waited = Math.exp(-slow * timeMs) * (1 + slow * timeMs * meanDecay(apart * timeMs));
  return (1 - waitingProbability) * Math.exp(-servicePerMs * timeMs) + waitingProbability * waited;
}

/** The time t with P(R > t) = 1 − share, by bisection to double precision. */
function responseBelow(share: number, exceedsAt: (timeMs: number) => number, startMs: number): number {
  let [low, high] = [0, startMs];
  while (exceedsAt(high) > 1 - share) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (exceedsAt(middle) > 1 - share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Predicts an M/M/c queue. Waiting by Erlang's C: L. Kleinrock, "Queueing Systems", volume 1 (1975), section 3.5. The distribution of the response
 * time: D. Gross, C. M. Harris, "Fundamentals of Queueing Theory" (1998), section 2.3. Throws `unstable-load` from λ = cμ on, and `bad-option` for
 * values that are not positive or above {@link mostServers} servers.
 */
export function mmc({ rateHz, serviceMs, servers }: MmcLoad): OpenPrediction {
  requirePositive("the rate", rateHz);
  requirePositive("the service time", serviceMs);
  requireWhole("the number of servers", servers, 1, mostServers);
  const utilisation = stableUtilisation(rateHz, serviceMs, servers);
  const waitingProbability = erlangC(servers, utilisation);
  const waitingPerMs = (servers * (1 - utilisation)) / serviceMs;
  const exceedsAt = (timeMs: number): number => exceeds(timeMs, waitingProbability, 1 / serviceMs, waitingPerMs);
  return byLittlesLaw(
    { rateHz, serviceMs, utilisation, waitingProbability, waitingMs: waitingProbability / waitingPerMs },
    percentilesBy((share) => responseBelow(share, exceedsAt, serviceMs)),
  );
}

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
