// Arrivals at constant intervals: the gentlest load of a rate, because it has no bursts.
import { emptySchedule, requirePositive } from "./checks.ts";
import type { Pacer } from "./pacer.ts";

export interface ConstantRateOptions {
  readonly rateHz: number;
}

/** The first arrival is at once. Throws a RunnerError `bad-plan` for an invalid rate. */
export function constantRate({ rateHz }: ConstantRateOptions): Pacer {
  requirePositive("a rate", rateHz, "a second");
  return {
    name: "constant",
    loop: "open",
    factors: { arrivals: "constant", rateHz },
    schedule(tasks) {
      // Multiplied, because adding a million gaps would add a million rounding errors.
      return emptySchedule(tasks).map((_, task) => (1_000 * task) / rateHz);
    },
  };
}
