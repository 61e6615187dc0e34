// Random numbers from a seed: the same seed gives the same analysis on every machine.
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export type Random = () => number;

/** An independent stream for each `seed` and `stream`: parts of an analysis must not share one, or adding a part would change the others. */
export function randomFrom(seed: number, stream: string): Random {
  // FNV-1a over the stream's name, so that a stream's numbers do not depend on earlier computations.
  let state = seed ^ 0x811c9dc5;
  for (let index = 0; index < stream.length; index += 1) {
    state = Math.imul(state ^ stream.charCodeAt(index), 0x01000193);
  }
  const generator = xoroshiro128plus(state);
  return () => uniformFloat64(generator);
}
