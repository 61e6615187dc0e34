// Intervals for one arm's mean with calls clustered by round: the bootstrap resamples rounds, then blocks in them.
import { mean } from "d3-array";
import { selectQuantile } from "./describe-samples.ts";
import { randomFrom } from "./random.ts";

/** Fewer rounds give no interval: with five, all rounds fall on one side by chance once in sixteen (2 · 2⁻⁵ = 6 % > 5 %). */
export const minimumRounds = 6;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly seed: number;
  /** Bootstrap resamples: with 1,999 the 2.5 % points are order statistics. */
  readonly resamples: number;
}

/** Block values (means, costs per task) of one arm by round, without rounds that have no block. */
export type ValuesByRound = readonly (readonly number[])[];

/** Computes intervals. Caches resampling plans, so that arms of one shape share random numbers and cost. */
export interface Bootstrap {
  /**
   * Returns the 95 % interval around `estimate`, a mean of all values, from the scatter of the block values; null below {@link minimumRounds} rounds.
   * Clipped to the range of the round means: one outlying round of six makes studentised resamples more extreme than any value measured.
   */
  interval(rounds: ValuesByRound, estimate: number): Interval | null;
}

/** For every resample, the blocks drawn for each round drawn, as indexes into the flat list of blocks. */
interface ResamplePlan {
  readonly picks: Uint16Array | Uint32Array;
  readonly sizes: Uint32Array;
}

function planOf(shape: readonly number[], options: BootstrapOptions): ResamplePlan {
  const random = randomFrom(options.seed, `bootstrap ${shape.join()}`);
  const offsets: number[] = [];
  let blocks = 0;
  for (const size of shape) {
    offsets.push(blocks);
    blocks += size;
  }
  const sizes = new Uint32Array(options.resamples * shape.length);
  const drawn = new Uint32Array(options.resamples * shape.length);
  let total = 0;
  for (let index = 0; index < drawn.length; index += 1) {
    const round = Math.floor(random() * shape.length);
    drawn[index] = round;
    sizes[index] = shape[round] as number;
    total += shape[round] as number;
  }
  // Halves the memory for all but the longest runs: a plan of 500 blocks in each of six rounds has six million picks.
  const picks = blocks <= 2 ** 16 ? new Uint16Array(total) : new Uint32Array(total);
  let at = 0;
  for (const round of drawn) {
    const size = shape[round] as number;
    for (let block = 0; block < size; block += 1) {
      picks[at] = (offsets[round] as number) + Math.floor(random() * size);
      at += 1;
    }
  }
  return { picks, sizes };
}

/** Mean of the round means, and their scatter √ Σ (x − mean)²: √(n · (n − 1)) standard errors, a factor that studentising cancels. */
function meanAndScatter(sum: number, sumOfSquares: number, rounds: number): { mean: number; scatter: number } {
  const centre = sum / rounds;
  return { mean: centre, scatter: Math.sqrt(Math.max(0, sumOfSquares - rounds * centre * centre)) };
}

/**
 * Creates studentised (bootstrap-t) intervals: Davison and Hinkley, "Bootstrap Methods and their Application" (1997), sections 5.2.1 and 3.8
 * (hierarchical data). The levels are those of Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013. The studentised values of
 * the resamples, t* = (θ* − θ̂) / s*, give estimate − t*(97.5 %) · s and estimate − t*(2.5 %) · s.
 */
export function createBootstrap(options: BootstrapOptions): Bootstrap {
  const plans = new Map<string, ResamplePlan>();

  function studentised(rounds: ValuesByRound, centre: number): Float64Array {
    const shape = rounds.map((blocks) => blocks.length);
    const key = shape.join();
    const plan = plans.get(key) ?? planOf(shape, options);
    plans.set(key, plan);
    // Centred values keep the precision of the sums of squares.
    const values = Float64Array.from(rounds.flat(), (value) => value - centre);
    const result = new Float64Array(options.resamples);
    let kept = 0;
    let at = 0;
    let round = 0;
    for (let resample = 0; resample < options.resamples; resample += 1) {
      let sum = 0;
      let sumOfSquares = 0;
      for (let drawn = 0; drawn < shape.length; drawn += 1, round += 1) {
        const size = plan.sizes[round] as number;
        let blockSum = 0;
        for (let block = 0; block < size; block += 1, at += 1) blockSum += values[plan.picks[at] as number] as number;
        const roundMean = blockSum / size;
        sum += roundMean;
        sumOfSquares += roundMean * roundMean;
      }
      const { mean: shifted, scatter } = meanAndScatter(sum, sumOfSquares, shape.length);
      // One round drawn n times has no scatter; this happens once in n^(n−1) resamples.
      if (scatter > 0) {
        result[kept] = shifted / scatter;
        kept += 1;
      }
    }
    return result.subarray(0, kept);
  }

  function reachOf(rounds: ValuesByRound, roundMeans: readonly number[]): Interval {
    const centre = mean(roundMeans) as number;
    const scatter = Math.sqrt(roundMeans.reduce((sum, value) => sum + (value - centre) ** 2, 0));
    // Exact counts (calls, bytes) do not scatter; the rest is rounding.
    if (scatter <= Math.abs(centre) * 1e-12) return { low: 0, high: 0 };
    const t = studentised(rounds, centre);
    return { low: -selectQuantile(t, 0.975) * scatter, high: -selectQuantile(t, 0.025) * scatter };
  }

  return {
    interval(given, estimate) {
      const rounds = given.filter((blocks) => blocks.length > 0);
      if (rounds.length < minimumRounds) return null;
      const roundMeans = rounds.map((blocks) => mean(blocks) as number);
      const reach = reachOf(rounds, roundMeans);
      return {
        low: Math.min(estimate, Math.max(estimate + reach.low, Math.min(...roundMeans))),
        high: Math.max(estimate, Math.min(estimate + reach.high, Math.max(...roundMeans))),
      };
    },
  };
}
