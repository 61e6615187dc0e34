// How often intervals of ratios from three to six rounds miss the truth, in simulated tables of six kinds of noise: docs/method.md.
import { coverageRows, mostMissed } from "../few-rounds.ts";
import { shareFigure } from "../gate/share.ts";
import type { Measure } from "../measure.ts";

/** Student's t promises nothing of other kinds of noise. */
const promised = "normal";

export const measure: Measure = {
  name: "few-rounds-coverage",
  title: "tables of ratios of which an interval misses the truth, by simulation",
  rounds: 1,
  run: async ({ seed, onProgress }) =>
    Promise.resolve(
      coverageRows(seed, onProgress).map(({ noise, rounds, comparisons, tables, missed }) =>
        shareFigure(
          `${noise}, ${rounds} rounds, ${comparisons} compared`,
          missed,
          tables,
          noise === promised ? 100 * mostMissed : undefined,
        ),
      ),
    ),
};
