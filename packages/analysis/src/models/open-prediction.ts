// What a model of an open queue predicts: arrivals come on a schedule of their own, whatever the server does.

/** Response times that this share of requests stay below, in milliseconds. */
export interface ResponsePercentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** The steady state of an open queue. */
export interface OpenPrediction {
  readonly rateHz: number;
  /** The share of their time that servers are busy, below 1. */
  readonly utilisation: number;
  /** The share of requests that find all servers busy. */
  readonly waitingProbability: number;
  /** Mean number of requests that wait. */
  readonly queueLength: number;
  /** Mean number of requests that wait or are served. */
  readonly present: number;
  /** Mean time before the service begins, of all requests. */
  readonly waitingMs: number;
  /** Mean time from arrival to answer. */
  readonly responseMs: number;
  /** Null where the model fixes the mean only. */
  readonly percentilesMs: ResponsePercentiles | null;
}

interface Waiting {
  readonly rateHz: number;
  readonly serviceMs: number;
  readonly utilisation: number;
  readonly waitingProbability: number;
  readonly waitingMs: number;
}

/** Completes a prediction by Little's law, L = λW: J. D. C. Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9 (1961). */
export function byLittlesLaw(waiting: Waiting, percentilesMs: ResponsePercentiles | null): OpenPrediction {
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

/** The four percentiles, from the function that gives the response time that a share of requests stays below. */
export function percentilesBy(responseMsBelow: (share: number) => number): ResponsePercentiles {
  return {
    p50: responseMsBelow(0.5),
    p90: responseMsBelow(0.9),
    p95: responseMsBelow(0.95),
    p99: responseMsBelow(0.99),
  };
}
