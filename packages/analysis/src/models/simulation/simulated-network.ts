// What a simulation takes: who asks, where they queue, and how times are drawn. It knows no formula, so it can check those that do.

/** `gamma` has any squared coefficient of variation above 0, with 1 it is exponential. */
export type Times =
  | { readonly kind: "constant"; readonly meanMs: number }
  | { readonly kind: "exponential"; readonly meanMs: number }
  | { readonly kind: "gamma"; readonly meanMs: number; readonly scv: number };

/** Who asks: callers that think between answers, or requests that come as a Poisson process whatever happened to those before. */
export type Source =
  | { readonly kind: "closed"; readonly name: string; readonly population: number; readonly think: Times }
  | { readonly kind: "open"; readonly name: string; readonly rateHz: number };

/** The server is taken for both phases; the request moves on after the first. */
export interface SimulatedService {
  readonly phaseOne: Times;
  readonly phaseTwo: Times;
}

export interface SimulatedStation {
  readonly name: string;
  /** Equal servers with one queue, first come first served; Infinity for a delay. */
  readonly servers: number;
  /** In the order of the sources; null for those that do not come here. */
  readonly services: readonly (SimulatedService | null)[];
}

/** Requests pass the stations in the order given. */
export interface SimulatedNetwork {
  readonly sources: readonly Source[];
  readonly stations: readonly SimulatedStation[];
}
