// Draws times of a distribution, by the variates of d3-random.
import { randomExponential, randomGamma } from "d3-random";
import type { Random } from "../../statistics/random.ts";
import type { Times } from "./simulated-network.ts";

/** A function that draws one time after the other, in milliseconds. */
export function sampler(times: Times, random: Random): () => number {
  const { meanMs } = times;
  if (meanMs === 0 || times.kind === "constant") return () => meanMs;
  if (times.kind === "exponential") return randomExponential.source(random)(1 / meanMs);
  return times.scv === 0 ? () => meanMs : randomGamma.source(random)(1 / times.scv, meanMs * times.scv);
}
