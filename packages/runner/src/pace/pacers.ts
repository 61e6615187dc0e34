// Pacers decide when tasks begin: at a constant rate, at random, with a rising rate, as recorded, and after the pauses of callers. They are pure functions
// from a seed to a schedule, and read no clock, so that every arm of a run gets the same one.
import type { Scalar } from "@roundtrip/runs";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { RunnerError } from "../basics/runner-error.ts";

export interface Pacer {
  /** Its name in results: `poisson`, `constant`, … */
  readonly name: string;
  /** `open`: tasks begin at predetermined times, whatever has been answered. `closed`: each caller pauses between the end of a task and its next. */
  readonly loop: "open" | "closed";
  /** The factors that distinguish the arms that it paces: `rateHz`, `thinkMs`, … */
  readonly factors: Readonly<Record<string, Scalar>>;
  /**
   * One number per task, in milliseconds. Open loop: when it begins, from the begin of the block, ascending. Closed loop: the pause before it. A
   * shorter schedule is a prefix of a longer one. Throws a RunnerError `bad-plan` for more than a million tasks, or more than it has.
   */
  schedule(tasks: number, seed: number): Float64Array;
}

/** Of one block: 8 MB of a schedule, 70 MB of records. */
const mostTasks = 1_000_000;

/** Throws a RunnerError `bad-plan` unless the value is finite and above 0. @param what for example `a rate`. @param unit for example `a second`. */
function requirePositive(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new RunnerError("bad-plan", `${what} must be finite and above 0, got ${value} ${unit}`);
}

/** The same, but zero is valid. */
function requireNotNegative(what: string, value: number, unit: string): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RunnerError("bad-plan", `${what} must be finite and at least 0, got ${value} ${unit}`);
}

/** An array for a schedule of this many tasks. Throws a RunnerError `bad-plan` for a count that is invalid or too large. */
function emptySchedule(tasks: number): Float64Array {
  if (!Number.isInteger(tasks) || tasks < 1) {
    throw new RunnerError("bad-plan", `a block must have at least 1 task, got ${tasks}`);
  }
  if (tasks > mostTasks) {
    const message = `a block must have at most ${mostTasks} tasks, got ${tasks}: use smaller blocks`;
    throw new RunnerError("bad-plan", message);
  }
  return new Float64Array(tasks);
}

/** Draws with mean 1, by inversion: −ln(1 − u) for u uniform on [0, 1). */
function exponentialDraws(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => -Math.log1p(-uniformFloat64(generator));
}

/** Arrivals at constant intervals: the gentlest load of a rate, because it has no bursts. The first is at once. Throws a RunnerError `bad-plan` for an invalid rate. */
export function constantRate({ rateHz }: { readonly rateHz: number }): Pacer {
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

/** Independent arrivals, as of many users: exponential gaps. Throws a RunnerError `bad-plan` for an invalid rate. */
export function poisson({ rateHz }: { readonly rateHz: number }): Pacer {
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

/** Poisson arrivals at a rate that changes linearly, and then stays: where does a server fail? Throws `bad-plan` for an invalid rate or time. */
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

export interface RecordedOptions {
  readonly recording: string;
  /** When each task began, in milliseconds since the begin of the recording, ascending. */
  readonly startsMs: ArrayLike<number>;
}

/** Replays recorded arrivals, for example from a log, whatever the seed. Throws a RunnerError `bad-plan` for invalid or descending times. */
export function recorded({ recording, startsMs: recordedMs }: RecordedOptions): Pacer {
  const kept = Float64Array.from(recordedMs);
  kept.forEach((atMs, task) => {
    const isMoment = Number.isFinite(atMs) && atMs >= 0;
    if (isMoment && atMs >= (kept[task - 1] ?? 0)) return;
    const why = isMoment ? "is before the previous one" : "is not a moment";
    throw new RunnerError("bad-plan", `the recording ${recording}: start ${task}, ${atMs} ms, ${why}`);
  });
  return {
    name: "recorded",
    loop: "open",
    factors: { arrivals: "recorded", recording },
    schedule(tasks) {
      const startsMs = emptySchedule(tasks);
      if (tasks > kept.length) {
        const message = `the recording ${recording} has ${kept.length} starts, and a block of ${tasks} tasks was asked for`;
        throw new RunnerError("bad-plan", message);
      }
      startsMs.set(kept.subarray(0, tasks));
      return startsMs;
    },
  };
}

export interface ClosedLoopOptions {
  /** Mean pause of a caller between the end of a task and the begin of the next; may be 0. */
  readonly thinkMs: number;
  /** `work`: exponential, and callers keep their process busy meanwhile, so that others wait for it. */
  readonly thinkTime: "constant" | "exponential" | "work";
}

/** Callers that wait for each answer and then think, so that they call a slow server less often. Throws `bad-plan` for an invalid time. */
export function closedLoop({ thinkMs, thinkTime }: ClosedLoopOptions): Pacer {
  requireNotNegative("a think time", thinkMs, "ms");
  return {
    name: `${thinkTime}-think`,
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
