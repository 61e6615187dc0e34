// The gate beside the rules of other tools, on the same simulated jobs: docs/gate.md.
import { headToHead, type HeadToHeadRow } from "../gate/head-to-head.ts";
import { shareFigure } from "../gate/share.ts";
import type { Figure, Measure } from "../measure.ts";

function figuresOf({ rule, machine, injected, jobs, alarms }: HeadToHeadRow): Figure {
  return shareFigure(`${machine}, ${injected}: ${rule}: alarms`, alarms, jobs);
}

export const measure: Measure = {
  name: "gate-head-to-head",
  title: "alarms of the gate and of other tools' rules in the same jobs",
  rounds: 1,
  run: ({ seed, onProgress }) => Promise.resolve(headToHead(seed, onProgress).map(figuresOf)),
};
