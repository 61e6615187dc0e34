// When a process is warm: the numbers have settled, not a count of calls that somebody thought enough.
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../study.ts";

/** How warm-up is judged. */
export interface WarmUpRule {
  /** A window runs every arm once, again and again until it has made this many calls… */
  readonly callsPerWindow: number;
  /** …or has lasted this long, as it does where a call has far to go. */
  readonly windowMs: number;
  /** Windows that are compared with as many before them. */
  readonly windows: number;
  /** The two means may differ by this much, relative to the later one. */
  readonly tolerance: number;
  /** At least this long. */
  readonly minMs: number;
  /** Give up after this long; the cell is then marked as not settled. */
  readonly maxMs: number;
  /** But not before there are as many windows. */
  readonly leastWindows: number;
  /**
   * Whether calls that one arm makes one after the other are left to another that makes the same at once: they run through the same code, and
   * where they have far to go, all but one of them only wait.
   */
  readonly leavesOutRepeats: boolean;
  /**
   * Whether it is the arms under a load that are run, and how: as many tasks of each of their callers, all callers at once. With 0 a pass runs
   * one task of every arm, one after the other.
   */
  readonly tasksPerCaller: number;
}

const mostMsAlone = 750;

/**
 * Callers who wait for each other run code that a single one never does: sockets that bring several answers, queues, connections beyond the
 * first. They need several thousand calls until that is compiled, which they make in twice the time that all pairs have together.
 */
const timesUnderLoad = { least: 2, most: 3 } as const;

/** With one the last callers would end alone, again and again. */
const tasksPerCallerUnderLoad = 4;

/** Beside many others calls settle later than alone. Over the farthest links two passes may take longer, and are compared in any case. */
const mostMsFar = 3_000;

/**
 * First all pairs at once for this long, to get code compiled; then each alone, until its numbers settle; then, where arms are measured under a
 * load, under one. Pairs that are far apart have one rule for all: they hardly take any time of a processor, and a pass over their arms is a
 * window of its own.
 */
export function warmUpRules(
  togetherMs: number,
): Readonly<Record<"together" | "alone" | "underLoad" | "far", WarmUpRule>> {
  const maxMs = Math.max(mostMsAlone, togetherMs);
  const near = { leastWindows: 0, leavesOutRepeats: false, tasksPerCaller: 0 };
  return {
    together: {
      callsPerWindow: 100,
      windowMs: 75,
      windows: 4,
      tolerance: 0,
      minMs: togetherMs,
      maxMs: togetherMs,
      ...near,
    },
    alone: { callsPerWindow: 75, windowMs: 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs, ...near },
    underLoad: {
      callsPerWindow: 1_000,
      windowMs: 100,
      windows: 2,
      tolerance: 0.1,
      minMs: timesUnderLoad.least * togetherMs,
      maxMs: timesUnderLoad.most * togetherMs,
      ...near,
      tasksPerCaller: tasksPerCallerUnderLoad,
    },
    far: {
      callsPerWindow: 75,
      windowMs: 125,
      windows: 1,
      tolerance: 0.05,
      minMs: togetherMs,
      maxMs: Math.max(mostMsFar, togetherMs),
      ...near,
      leastWindows: 2,
      leavesOutRepeats: true,
    },
  };
}

/** What warming up has to know of an arm. */
export interface WarmedArm {
  readonly plan: Plan;
  readonly callers: number;
  readonly connections: number;
  /** Whether several callers, or a schedule, set its tasks off. */
  readonly isUnderLoad: boolean;
}

/** One of all arms that load their processes in one way: what sets them off differs, and the code does not. */
function waysToLoad<A extends WarmedArm>(arms: readonly A[]): readonly A[] {
  const loaded = arms.filter(({ isUnderLoad }) => isUnderLoad);
  const isAlike = (one: A, other: A): boolean =>
    one.callers === other.callers && one.connections === other.connections && isDeepStrictEqual(one.plan, other.plan);
  return loaded.filter((arm, index) => loaded.findIndex((other) => isAlike(arm, other)) === index);
}

/** The arms that each pass of warming up runs: this project's clients make their calls. */
export function warmedUp<A extends WarmedArm>(
  arms: readonly A[],
  { leavesOutRepeats, tasksPerCaller }: Pick<WarmUpRule, "leavesOutRepeats" | "tasksPerCaller">,
): readonly A[] {
  const own = arms.filter(({ plan }) => plan.driver === "own");
  if (tasksPerCaller > 0) return waysToLoad(own);
  if (!leavesOutRepeats) return own;
  const atOnce = own.filter(({ plan }) => plan.order === "parallel");
  const isRepeat = ({ order, steps }: Plan): boolean =>
    order === "sequential" && steps.length > 1 && atOnce.some(({ plan }) => isDeepStrictEqual(plan.steps, steps));
  return own.filter(({ plan }) => !isRepeat(plan));
}

/** How many of its tasks a pass runs of an arm. */
export function tasksInPass(
  { callers }: Pick<WarmedArm, "callers">,
  { tasksPerCaller }: Pick<WarmUpRule, "tasksPerCaller">,
): number {
  return tasksPerCaller === 0 ? 1 : tasksPerCaller * callers;
}

/** The most that any rule lets a pass run of an arm: a client has to have room for its rows. */
export function mostTasksInPass(arm: Pick<WarmedArm, "callers">): number {
  return tasksInPass(arm, { tasksPerCaller: tasksPerCallerUnderLoad });
}

/** True when a process may stop warming up. @param passMs mean duration of a pass in each window so far. */
export function isOver(passMs: readonly number[], elapsedMs: number, rule: WarmUpRule): boolean {
  if (elapsedMs < rule.minMs) return false;
  return hasSettled(passMs, rule) || (elapsedMs >= rule.maxMs && passMs.length >= rule.leastWindows);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** True when the last windows and those before them agree within the tolerance. @param passMs mean duration of a pass in each window so far. */
export function hasSettled(passMs: readonly number[], rule: WarmUpRule): boolean {
  if (passMs.length < 2 * rule.windows) return false;
  const late = mean(passMs.slice(-rule.windows));
  const early = mean(passMs.slice(-2 * rule.windows, -rule.windows));
  return Math.abs(early - late) <= rule.tolerance * late;
}
