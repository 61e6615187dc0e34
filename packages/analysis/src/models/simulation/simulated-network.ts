// The input of a simulation: sources, stations and distributions of times. It uses no formula, so it can check models.

/** `gamma` supports any squared coefficient of variation above 0; 1 is exponential. */
export type Times =
  | { readonly kind: "constant"; readonly meanMs: number }
  | { readonly kind: "exponential"; readonly meanMs: number }
  | { readonly kind: "gamma"; readonly meanMs: number; readonly scv: number };

/** Callers with think time between answers, or requests that arrive as a Poisson process. */
export type Source =
  | { readonly kind: "closed"; readonly name: string; readonly population: number; readonly think: Times }
  | { readonly kind: "open"; readonly name: string; readonly rateHz: number };

/** Both phases occupy the server; the request moves on after the first. */
export interface SimulatedService {
  readonly phaseOne: Times;
  readonly phaseTwo: Times;
}

export interface SimulatedStation {
  readonly name: string;
  /** Equal servers with one queue, first come first served; Infinity for a delay. */
  readonly servers: number;
  /** In the order of the sources; null for sources that do not visit the station. */
  readonly services: readonly (SimulatedService | null)[];
}

/** Requests visit the stations in this order. */
export interface SimulatedNetwork {
  readonly sources: readonly Source[];
  readonly stations: readonly SimulatedStation[];
}
