// How often intervals of ratios from three to six rounds miss the true value, in simulated tables of six kinds of noise: docs/method.md.
import { coverageRows, mostMissed, type CoverageRow } from "../few-rounds.ts";
import { shareFigure } from "../gate/share.ts";
import type { Measure } from "../measure.ts";

/** Student's t promises nothing for other kinds of noise. Six rounds, which use max-T, are listed for comparison. */
function isPromised({ noise, rounds }: CoverageRow): boolean {
  return noise === "normal" && rounds < 6;
}

export const measure: Measure = {
  name: "few-rounds-coverage",
  title: "tables of ratios of which an interval misses the truth, by simulation",
  rounds: 1,
  run: async ({ seed, onProgress }) =>
    Promise.resolve(
      coverageRows(seed, onProgress).map((row) => {
        const of = `${row.noise}, ${row.rounds} rounds, ${row.comparisons} compared`;
        return shareFigure(of, row.missed, row.tables, isPromised(row) ? 100 * mostMissed : undefined);
      }),
    ),
};
