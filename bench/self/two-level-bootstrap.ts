// The two-level bootstrap that Student's t on round means replaced: the rival in the simulation of estimators.
import { quantile, sortedCopy, type Interval, type Random, type ValuesByRound } from "@roundtrip/analysis/statistics";
import { mean } from "./measure.ts";

const resamples = 499;

function drawn<T>(values: readonly T[], random: Random): readonly T[] {
  return values.map(() => values[Math.floor(random() * values.length)] as T);
}

/** √ Σ (x − mean)²: a standard error times √(n · (n − 1)), a factor that studentising cancels. */
function scatterOf(values: readonly number[], centre: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0));
}

/**
 * The studentised 95 % interval of the mean of round means, from resampled rounds and, in them, resampled blocks: Davison and Hinkley, "Bootstrap Methods
 * and their Application" (1997), 3.8 and 5.2.1; Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013. Clipped to the range of the
 * round means: otherwise one outlying round of six stretches it many times.
 */
export function bootstrapInterval(rounds: ValuesByRound, random: Random): Interval {
  const roundMeans = rounds.map((blocks) => mean(blocks));
  const centre = mean(roundMeans);
  const studentised: number[] = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    const means = drawn(rounds, random).map((blocks) => mean(drawn(blocks, random)));
    const shifted = mean(means);
    const scatter = scatterOf(means, shifted);
    if (scatter > 0) studentised.push((shifted - centre) / scatter);
  }
  const sorted = sortedCopy(studentised);
  const scatter = scatterOf(roundMeans, centre);
  return {
    low: Math.max(centre - quantile(sorted, 0.975) * scatter, Math.min(...roundMeans)),
    high: Math.min(centre - quantile(sorted, 0.025) * scatter, Math.max(...roundMeans)),
  };
}
