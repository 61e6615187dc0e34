// How often the gate fails a version that is not slower, in simulated jobs of six kinds of noise: docs/gate.md.
import { nullRows, type NullRow } from "../gate/null-jobs.ts";
import { shareFigure } from "../gate/share.ts";
import type { Figure, Measure } from "../measure.ts";

/** The promised maximum of the gate for a whole job, in per cent. */
const mostFalseAlarms = 1;

/** The promise excludes correlated rounds: docs/gate.md, "What it assumes". */
const withoutPromise = "autocorrelated";

function figuresOf({ noise, effect, jobs, failed, blocked }: NullRow): readonly Figure[] {
  if (effect === 0)
    return [shareFigure(`${noise}, equal versions: FAIL before confirmation`, failed, jobs, mostFalseAlarms)];
  const tolerated = `${noise}, all cells slower by what is tolerated`;
  return [
    shareFigure(
      `${tolerated}: FAIL before confirmation`,
      failed,
      jobs,
      noise === withoutPromise ? undefined : mostFalseAlarms,
    ),
    shareFigure(`${tolerated}: FAIL, confirmed`, blocked, jobs),
  ];
}

export const measure: Measure = {
  name: "gate-null",
  title: "false alarms of the gate in simulated jobs",
  rounds: 1,
  run: async ({ seed, share, onProgress }) => (await nullRows(seed, onProgress, share)).flatMap(figuresOf),
};
