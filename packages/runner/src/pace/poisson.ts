// Independent arrivals, as of many users: exponential gaps.
import { emptySchedule, requirePositive } from "./checks.ts";
import { exponentialDraws } from "./exponential-draws.ts";
import type { Pacer } from "./pacer.ts";

export interface PoissonOptions {
  readonly rateHz: number;
}

/** Throws a RunnerError `bad-plan` for an invalid rate. */
export function poisson({ rateHz }: PoissonOptions): Pacer {
  requirePositive("a rate", rateHz, "a second");
  return {
    name: "poisson",
    loop: "open",
    factors: { arrivals: "poisson", rateHz },
    schedule(tasks, seed) {
      const draw = exponentialDraws(seed);
      let atMs = 0;
      return emptySchedule(tasks).map(() => {
        atMs += (1_000 / rateHz) * draw();
        return atMs;
      });
    },
  };
}
