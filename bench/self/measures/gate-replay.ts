// How often the gate fails equal versions, and finds slower ones, in jobs assembled from rounds of a real machine: docs/gate.md.
import { replay, storedJobs, type ReplayRow } from "../gate/replay.ts";
import { shareFigure } from "../gate/shares.ts";
import type { Figure, Measure } from "../measure.ts";

/** The promised maximum of the gate for a whole job, in per cent. */
const mostFalseAlarms = 1;

function figuresOf({ over, hasNeighbour, assembly, shift, jobs, failed, blocked }: ReplayRow): Figure {
  const of = `${over}${hasNeighbour ? ", noisy neighbour" : ""}, ${assembly}, ${shift} added`;
  if (shift === "nothing") return shareFigure(`${of}: FAIL before confirmation`, failed, jobs, mostFalseAlarms);
  return shareFigure(`${of}: FAIL`, blocked, jobs);
}

export const measure: Measure = {
  name: "gate-replay",
  title: "what the gate says of rounds that a real machine has measured",
  rounds: 1,
  run: ({ seed, onProgress }) => Promise.resolve(replay(storedJobs(), seed, onProgress).map(figuresOf)),
};
