// M/M/c: Poisson arrivals, exponential service, c equal servers and one queue, first come first served.
import { requirePositive, requireWhole, stableUtilisation } from "./model-input.ts";
import { byLittlesLaw, percentilesBy, type OpenPrediction } from "./open-prediction.ts";

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
