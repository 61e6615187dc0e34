// Latencies of a measured run, for a fake: how long callers waited for the calls of some arms.
import type { RunFacts, Samples } from "@roundtrip/runs";
import { matchesStars, suggestion } from "@roundtrip/contract/text";
import type { MeasuredLatency } from "@roundtrip/fakes";
import { CliError } from "../basics/cli-error.ts";

/** Enough values to represent a distribution; a run has millions. */
const mostValues = 1_000;

const nsPerMs = 1_000_000;

/** The indices of the selected arms. Throws a CliError if no arm matches. */
function armsLike(pattern: string, { arms }: RunFacts, directory: string): ReadonlySet<number> {
  const places = arms.flatMap(({ id }, place) => (matchesStars(pattern, id) ? [place] : []));
  if (places.length > 0) return new Set(places);
  const ids = arms.map(({ id }) => id);
  const nearest = suggestion(pattern.replaceAll("*", ""), ids);
  const first = nearest === "" && ids[0] !== undefined ? ` (there is ${ids[0]}, for example)` : nearest;
  throw new CliError("usage", `the run in ${directory} has no arm like "${pattern}"${first}`);
}

/** The latency of each successful call, in milliseconds. */
function answeredMs(samples: Samples, arms: ReadonlySet<number>): readonly number[] {
  const { arm, startedAtNs, endedAtNs, outcome, outcomes } = samples;
  const ok = outcomes.indexOf("OK");
  const valuesMs: number[] = [];
  for (let row = 0; row < samples.length; row += 1) {
    if (outcome[row] !== ok || !arms.has(arm[row] as number)) continue;
    valuesMs.push(((endedAtNs[row] as number) - (startedAtNs[row] as number)) / nsPerMs);
  }
  return valuesMs;
}

/** Reduces values to at most `most` equidistant quantiles, with the same distribution. */
function quantilesOf(values: Float64Array, most: number): readonly number[] {
  const sorted = values.toSorted();
  if (sorted.length <= most) return [...sorted];
  return Array.from(
    { length: most },
    (_, index) => sorted[Math.floor(((2 * index + 1) * sorted.length) / (2 * most))] as number,
  );
}

/** The latencies of successful calls. Rejects with a RunError for an invalid run, and with a CliError for arms without successful calls. */
export const measuredLatency: MeasuredLatency = async ({ directory, arm }) => {
  // Loaded on demand, because it loads a Parquet reader.
  const { readRunInParts } = await import("@roundtrip/runs/read");
  const { facts, parts } = readRunInParts(directory);
  const arms = armsLike(arm, facts, directory);
  const found: Float64Array[] = [];
  let count = 0;
  for await (const samples of parts) {
    const valuesMs = Float64Array.from(answeredMs(samples, arms));
    found.push(valuesMs);
    count += valuesMs.length;
  }
  if (count === 0) throw new CliError("usage", `the run in ${directory} has no answered call of an arm like "${arm}"`);
  const all = new Float64Array(count);
  let at = 0;
  for (const valuesMs of found) {
    all.set(valuesMs, at);
    at += valuesMs.length;
  }
  return { measured: { valuesMs: quantilesOf(all, mostValues) } };
};
