// Open queues with Poisson arrivals and exponential service, first come first served: M/M/1 and M/M/c, with one server or c equal servers.
import { requirePositive, requireWhole, stableUtilisation } from "./model-input.ts";

/** Percentiles of response times, in milliseconds. */
export interface ResponsePercentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** The steady state of an open queue: means. */
export interface OpenPrediction {
  readonly rateHz: number;
  /** Share of time that servers are busy, below 1. */
  readonly utilisation: number;
  /** Share of requests that find all servers busy. */
  readonly waitingProbability: number;
  readonly queueLength: number;
  /** Mean number of requests waiting or in service. */
  readonly present: number;
  /** Mean time until service begins, over all requests. */
  readonly waitingMs: number;
  readonly responseMs: number;
  readonly percentilesMs: ResponsePercentiles;
}

interface Waiting {
  readonly rateHz: number;
  readonly serviceMs: number;
  readonly utilisation: number;
  readonly waitingProbability: number;
  readonly waitingMs: number;
}

/** Completes a prediction by Little's law, L = λW: J. D. C. Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9 (1961). */
function byLittlesLaw(waiting: Waiting, percentilesMs: ResponsePercentiles): OpenPrediction {
  const { rateHz, serviceMs, utilisation, waitingProbability, waitingMs } = waiting;
  const responseMs = waitingMs + serviceMs;
  return {
    rateHz,
    utilisation,
    waitingProbability,
    queueLength: (rateHz * waitingMs) / 1_000,
    present: (rateHz * responseMs) / 1_000,
    waitingMs,
    responseMs,
    percentilesMs,
  };
}

/** The four percentiles. `responseMsBelow` returns the response time that a share of requests stays below. */
function percentilesBy(responseMsBelow: (share: number) => number): ResponsePercentiles {
  return {
    p50: responseMsBelow(0.5),
    p90: responseMsBelow(0.9),
    p95: responseMsBelow(0.95),
    p99: responseMsBelow(0.99),
  };
}

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
