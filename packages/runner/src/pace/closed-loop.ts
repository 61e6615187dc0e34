// Callers that wait for each answer and then think, like people: they call a slow server less often.
import { emptySchedule, requireNotNegative } from "./checks.ts";
import { exponentialDraws } from "./exponential-draws.ts";
import type { Pacer } from "./pacer.ts";

export interface ClosedLoopOptions {
  /** Mean pause of a caller between the end of a task and the begin of the next; may be 0. */
  readonly thinkMs: number;
  readonly thinkTime: "constant" | "exponential";
}

/** Throws a RunnerError `bad-plan` for an invalid time. */
export function closedLoop({ thinkMs, thinkTime }: ClosedLoopOptions): Pacer {
  requireNotNegative("a think time", thinkMs, "ms");
  return {
    name: thinkTime === "constant" ? "constant-think" : "exponential-think",
    loop: "closed",
    factors: { thinkMs, thinkTime },
    schedule(tasks, seed) {
      const pausesMs = emptySchedule(tasks);
      if (thinkTime === "constant") return pausesMs.fill(thinkMs);
      const draw = exponentialDraws(seed);
      return pausesMs.map(() => thinkMs * draw());
    },
  };
}
