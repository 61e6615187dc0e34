// How often and how soon the gate finds real changes, and whether its intervals contain them: docs/gate.md.
import { powerRows, type PowerRow } from "../gate/power-jobs.ts";
import { roundsToVerdict } from "../gate/rounds-to-verdict.ts";
import { shareFigure } from "../gate/share.ts";
import type { Figure, Measure } from "../measure.ts";

/** In per cent: the maximum share of missed changes that a FAIL is for, and of jobs with an interval that misses the true value. */
const mostMissed = 5;
const mostUncovered = 5;

function figuresOf({ noise, metric, tasks, effect, jobs, blocked, covered, ...tally }: PowerRow): readonly Figure[] {
  const change = `${effect > 0 ? "+" : "−"}${Math.round(Math.abs(100 * effect))} %`;
  const of = `${noise}, ${metric} ${change} in ${tasks === 1 ? "one task" : "both tasks"} of a stack`;
  const isAsked = noise === "normal" && effect >= 0.05 && (effect > 0.05 || tasks === 2);
  const alarms =
    effect > 0.02
      ? shareFigure(`${of}: missed`, jobs - blocked, jobs, isAsked ? mostMissed : undefined)
      : shareFigure(`${of}: FAIL`, blocked, jobs, 1);
  return [
    alarms,
    shareFigure(
      `${of}: intervals that lack the truth`,
      jobs - covered,
      jobs,
      noise === "normal" ? mostUncovered : undefined,
    ),
    ...([0.5, 0.95] as const).map((part) => ({
      of: `${of}: rounds until the verdict, ${part === 0.5 ? "median" : "p95"}`,
      value: roundsToVerdict({ jobs, ...tally }, part),
      interval: null,
      unit: "",
      atMost: undefined,
    })),
  ];
}

export const measure: Measure = {
  name: "gate-power",
  title: "what the gate finds in simulated jobs",
  rounds: 1,
  run: async ({ seed, share, onProgress }) => (await powerRows(seed, onProgress, share)).flatMap(figuresOf),
};
