// Arrivals like a clock's: the gentlest load of a rate, since nothing ever comes in bursts.
import { emptySchedule, requirePositive } from "./checks.ts";
import type { Pacer } from "./pacer.ts";

export interface ConstantRateOptions {
  /** Arrivals a second. */
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
      // Multiplied, not added up: a million gaps would add up a million errors of rounding.
      return emptySchedule(tasks).map((_, task) => (1_000 * task) / rateHz);
    },
  };
}
