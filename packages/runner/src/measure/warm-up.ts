// Decides when a process is warm: when its times have settled, not after a fixed number of calls.
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../study/study.ts";

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
   * With 0 a pass runs one task of every arm. Otherwise it runs as many tasks of arms under a load, and one at least for each of their callers,
   * who all call at once.
   */
  readonly tasksUnderLoad: number;
}

const mostMsAlone = 750;

/**
 * Where time is short, of what all have together: a stack that has not settled by then rarely does, a round has one such wait for each, and in the same
 * time it makes more measured calls than there would be otherwise.
 */
const shareAloneInShort = 0.5;

/** With a warm-up of a few milliseconds, warming up alone takes at most this many times as long as together. */
const mostTimesAlone = 50;

/**
 * Callers who wait for each other run code that a single one never does: sockets that bring several answers, queues, connections beyond the
 * first. They need some thousand calls until that is compiled.
 */
const mostTimesUnderLoad = 3;

/** With one for each of a few callers, the last of them would end alone again and again. */
const tasksUnderLoad = 16;

/** Beside many others calls settle later than alone. Over the farthest links two passes may take longer, and are compared in any case. */
const mostMsFar = 3_000;

/**
 * First all pairs at once for this long, to get code compiled; then each alone, until its numbers settle; then, where arms are measured under a
 * load, under one. Pairs that are far apart have one rule for all: they hardly take any time of a processor, and a pass over their arms is a
 * window of its own.
 */
export function warmUpRules(
  togetherMs: number,
  isShort = false,
): Readonly<Record<"together" | "alone" | "underLoad" | "far", WarmUpRule>> {
  const usualMs = Math.max(Math.min(mostMsAlone, mostTimesAlone * togetherMs), togetherMs);
  const maxMs = isShort ? shareAloneInShort * togetherMs : usualMs;
  const near = { leastWindows: 0, leavesOutRepeats: false, tasksUnderLoad: 0 };
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
    // Four windows are compared: where calls are slow, a window's length is what settling costs at the least.
    alone: { callsPerWindow: 75, windowMs: isShort ? 50 : 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs, ...near },
    underLoad: {
      callsPerWindow: 2_000,
      windowMs: 200,
      windows: 2,
      tolerance: 0.1,
      minMs: togetherMs,
      maxMs: mostTimesUnderLoad * togetherMs,
      ...near,
      // A pass over many ways to load is a window of its own: without a comparison it must not count as unsettled.
      leastWindows: 4,
      tasksUnderLoad,
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

/** How much two windows may differ that are warmed up together, because others use the same cores. */
const toleranceTogether = 0.1;

/**
 * All pairs at once for this long, under a load where arms have one, without waiting for times to settle: for many short rounds.
 * What is not compiled by then is compiled on neither side of a comparison: versions take turns, and have been called as often.
 */
export function shortWarmUp(togetherMs: number, isUnderLoad: boolean): WarmUpRule {
  const rule = warmUpRules(togetherMs).together;
  return {
    ...rule,
    maxMs: togetherMs,
    windows: 2,
    tolerance: toleranceTogether,
    tasksUnderLoad: isUnderLoad ? tasksUnderLoad : 0,
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

/** What is called over which connections: all that warm code depends on. Requests in rotation use the same code. */
function wayToLoad({ plan, connections }: WarmedArm): string {
  const steps = plan.steps.map(({ operation, request, inTurn }) => [operation, inTurn === undefined ? request : null]);
  return JSON.stringify([plan.order, steps, connections]);
}

/** Of the arms that load their processes in one way, the one with the most callers. */
function waysToLoad<A extends WarmedArm>(arms: readonly A[]): readonly A[] {
  const ways = Map.groupBy(
    arms.filter(({ isUnderLoad }) => isUnderLoad),
    wayToLoad,
  );
  return [...ways.values()].flatMap((alike) => alike.toSorted((one, other) => other.callers - one.callers).slice(0, 1));
}

/** The arms that each pass of warming up runs: this project's clients make their calls. */
export function warmedUp<A extends WarmedArm>(
  arms: readonly A[],
  { leavesOutRepeats, tasksUnderLoad: atLeast }: Pick<WarmUpRule, "leavesOutRepeats" | "tasksUnderLoad">,
): readonly A[] {
  const own = arms.filter(({ plan }) => plan.driver === "own");
  if (atLeast > 0) return waysToLoad(own);
  if (!leavesOutRepeats) return own;
  const atOnce = own.filter(({ plan }) => plan.order === "parallel");
  const isRepeat = ({ order, steps }: Plan): boolean =>
    order === "sequential" && steps.length > 1 && atOnce.some(({ plan }) => isDeepStrictEqual(plan.steps, steps));
  return own.filter(({ plan }) => !isRepeat(plan));
}

/** How many of its tasks a pass runs of an arm. */
export function tasksInPass(
  { callers }: Pick<WarmedArm, "callers">,
  { tasksUnderLoad: atLeast }: Pick<WarmUpRule, "tasksUnderLoad">,
): number {
  return atLeast === 0 ? 1 : Math.max(atLeast, callers);
}

/** The most that any rule lets a pass run of an arm: a client needs buffers for its rows. */
export function mostTasksInPass(arm: Pick<WarmedArm, "callers" | "isUnderLoad">): number {
  return tasksInPass(arm, { tasksUnderLoad: arm.isUnderLoad ? tasksUnderLoad : 0 });
}

/** True when a process may stop warming up. @param passMs mean duration of a pass in each window so far. */
export function isOver(passMs: readonly number[], elapsedMs: number, rule: WarmUpRule): boolean {
  if (elapsedMs < rule.minMs) return false;
  return hasSettled(passMs, rule) || (elapsedMs >= rule.maxMs && passMs.length >= rule.leastWindows);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** True when the last windows and those before them agree within the tolerance. @param passMs mean duration of a pass in each window so far. */
export function hasSettled(passMs: readonly number[], rule: WarmUpRule): boolean {
  if (passMs.length < 2 * rule.windows) return false;
  // Of as many windows: their sums compare as their means do.
  const late = sumOf(passMs.slice(-rule.windows));
  const early = sumOf(passMs.slice(-2 * rule.windows, -rule.windows));
  return Math.abs(early - late) <= rule.tolerance * late;
}
