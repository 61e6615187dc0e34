// The prediction of an open-queue model: arrivals follow a schedule that does not depend on the server.

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
  /** Null where the model predicts only the mean. */
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

/** The four percentiles. `responseMsBelow` returns the response time that a share of requests stays below. */
export function percentilesBy(responseMsBelow: (share: number) => number): ResponsePercentiles {
  return {
    p50: responseMsBelow(0.5),
    p90: responseMsBelow(0.9),
    p95: responseMsBelow(0.95),
    p99: responseMsBelow(0.99),
  };
}
