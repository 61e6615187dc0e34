// Poisson arrivals whose rate changes linearly from one value to another, and then stays: at which rate does a server fail?
import { emptySchedule, requireNotNegative, requirePositive } from "./checks.ts";
import { exponentialDraws } from "./exponential-draws.ts";
import type { Pacer } from "./pacer.ts";

export interface RampOptions {
  /** Mean arrivals a second at the block's begin; may be 0. */
  readonly fromHz: number;
  /** The rate once `overMs` have passed. */
  readonly toHz: number;
  readonly overMs: number;
}

/**
 * The time at which this many arrivals are expected: the inverse of ∫ rate dt, which turns unit exponential gaps into arrivals at that rate (time
 * rescaling; Çınlar, "Introduction to Stochastic Processes", 1975, chapter 4).
 */
function expectedAtMs(arrivals: number, { fromHz, toHz, overMs }: RampOptions): number {
  if (arrivals === 0) return 0;
  const [from, to] = [fromHz / 1_000, toHz / 1_000];
  const onRamp = ((from + to) / 2) * overMs;
  if (arrivals >= onRamp) return overMs + (arrivals - onRamp) / to;
  // The root of from·t + (to − from)·t²/(2·overMs) = arrivals, in a form that also covers to = from.
  const slope = (to - from) / overMs;
  return (2 * arrivals) / (from + Math.sqrt(from * from + 2 * slope * arrivals));
}

/** Throws a RunnerError `bad-plan` for invalid rates or an invalid time. */
export function ramp(options: RampOptions): Pacer {
  const { fromHz, toHz, overMs } = options;
  requireNotNegative("the first rate of a ramp", fromHz, "a second");
  requirePositive("the last rate of a ramp", toHz, "a second");
  requirePositive("the time of a ramp", overMs, "ms");
  return {
    name: "ramp",
    loop: "open",
    factors: { arrivals: "ramp", fromHz, toHz, overMs },
    schedule(tasks, seed) {
      const draw = exponentialDraws(seed);
      let expected = 0;
      return emptySchedule(tasks).map(() => {
        expected += draw();
        return expectedAtMs(expected, options);
      });
    },
  };
}
