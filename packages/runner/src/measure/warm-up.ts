// Decides when a process is warm: when its times have settled, not after a fixed number of calls.
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../study/study.ts";

export interface WarmUpRule {
  /** A window runs every arm once, again and again, until it has made this many calls… */
  readonly callsPerWindow: number;
  /** …or has lasted this long, as over a long distance. */
  readonly windowMs: number;
  /** Windows that are compared with as many before them. */
  readonly windows: number;
  /** The two means may differ by this much, relative to the later one. */
  readonly tolerance: number;
  readonly minMs: number;
  /** The maximum duration; the cell is then marked as not settled. */
  readonly maxMs: number;
  /** The minimum number of windows, even after `maxMs`. */
  readonly leastWindows: number;
  /**
   * Whether an arm with sequential calls is left out if another makes the same calls at once: both run the same code, and over a distance all but one
   * of the sequential calls only wait.
   */
  readonly leavesOutRepeats: boolean;
  /** With 0 a pass runs one task of every arm, otherwise this many of arms under load, and at least one per caller. All callers call at once. */
  readonly tasksUnderLoad: number;
}

const mostMsAlone = 750;

/** With a warm-up of a few milliseconds, warming up alone takes at most this many times as long as together. */
const mostTimesAlone = 50;

/**
 * Concurrent callers run code that a single one never does: several answers per socket, queues, more connections. It compiles after some thousand
 * calls.
 */
const mostTimesUnderLoad = 3;

/** With one task per caller, the last caller would often run alone. */
const tasksUnderLoad = 16;

/** Beside many others, calls settle later than alone. Over the farthest links two passes may take longer; they are compared in any case. */
const mostMsFar = 3_000;

/**
 * First all pairs at once for this long, to compile code; then each alone, until its times settle; then, if it has arms under load, under load. Pairs
 * that are far apart have a single rule: they hardly use a processor, and a pass over their arms is a window of its own.
 */
export function warmUpRules(
  togetherMs: number,
  isShort = false,
): Readonly<Record<"together" | "alone" | "underLoad" | "far", WarmUpRule>> {
  const usualMs = Math.max(Math.min(mostMsAlone, mostTimesAlone * togetherMs), togetherMs);
  // If time is short: a stack that has not settled by then rarely does, and every stack has this wait in a round.
  const maxMs = isShort ? togetherMs : usualMs;
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
    // Four windows are compared: if calls are slow, settling takes at least four times the length of a window.
    alone: { callsPerWindow: 75, windowMs: isShort ? 50 : 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs, ...near },
    underLoad: {
      callsPerWindow: 2_000,
      windowMs: 200,
      windows: 2,
      tolerance: 0.1,
      minMs: togetherMs,
      maxMs: mostTimesUnderLoad * togetherMs,
      ...near,
      // A pass over many kinds of load is a window of its own: without a comparison it must not count as unsettled.
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

/** The default stacks and the floor, for which the time together is chosen. */
const usualPairs = 4;

/**
 * The rule for warming up this many pairs at once. More than usual take longer in proportion: they share the processors, and without their usual
 * number of calls, code would be compiled while it is measured.
 */
export function togetherRule(togetherMs: number, pairs: number): WarmUpRule {
  const ms = togetherMs * Math.max(1, pairs / usualPairs);
  return { ...warmUpRules(togetherMs).together, minMs: ms, maxMs: ms };
}

/** The tolerance for pairs that are warmed up together, because others use the same cores. */
const toleranceTogether = 0.1;

/**
 * All pairs at once for this long, under load if arms have one, without waiting for times to settle: for many short rounds. Code that is not compiled
 * by then is compiled on neither side of a comparison, because versions take turns and are called equally often.
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

/** The part of an arm that the warm-up uses. */
export interface WarmedArm {
  readonly plan: Plan;
  readonly callers: number;
  readonly connections: number;
  /** Whether several callers or a schedule start its tasks. */
  readonly isUnderLoad: boolean;
}

/** The calls and the connections, on which all warm code depends. Requests in rotation use the same code. */
function loadKey({ plan, connections }: WarmedArm): string {
  const steps = plan.steps.map(({ operation, request, inTurn }) => [operation, inTurn === undefined ? request : null]);
  return JSON.stringify([plan.order, steps, connections]);
}

/** For each kind of load, the arm with the most callers. */
function loads<A extends WarmedArm>(arms: readonly A[]): readonly A[] {
  const groups = Map.groupBy(
    arms.filter(({ isUnderLoad }) => isUnderLoad),
    loadKey,
  );
  return [...groups.values()].flatMap((alike) =>
    alike.toSorted((one, other) => other.callers - one.callers).slice(0, 1),
  );
}

/** The arms that each warm-up pass runs: those that this project's clients call. */
export function warmedUp<A extends WarmedArm>(
  arms: readonly A[],
  { leavesOutRepeats, tasksUnderLoad: atLeast }: Pick<WarmUpRule, "leavesOutRepeats" | "tasksUnderLoad">,
): readonly A[] {
  const own = arms.filter(({ plan }) => plan.driver === "own");
  if (atLeast > 0) return loads(own);
  if (!leavesOutRepeats) return own;
  const atOnce = own.filter(({ plan }) => plan.order === "parallel");
  const isRepeat = ({ order, steps }: Plan): boolean =>
    order === "sequential" && steps.length > 1 && atOnce.some(({ plan }) => isDeepStrictEqual(plan.steps, steps));
  return own.filter(({ plan }) => !isRepeat(plan));
}

export function tasksInPass(
  { callers }: Pick<WarmedArm, "callers">,
  { tasksUnderLoad: atLeast }: Pick<WarmUpRule, "tasksUnderLoad">,
): number {
  return atLeast === 0 ? 1 : Math.max(atLeast, callers);
}

/** The maximum number of tasks of an arm in a pass under any rule, which determines the buffers of a client. */
export function mostTasksInPass(arm: Pick<WarmedArm, "callers" | "isUnderLoad">): number {
  return tasksInPass(arm, { tasksUnderLoad: arm.isUnderLoad ? tasksUnderLoad : 0 });
}

/** True if a process may stop warming up. @param passMs median duration of a pass in each window so far. */
export function isOver(passMs: readonly number[], elapsedMs: number, rule: WarmUpRule): boolean {
  if (elapsedMs < rule.minMs) return false;
  return hasSettled(passMs, rule) || (elapsedMs >= rule.maxMs && passMs.length >= rule.leastWindows);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** True if the last windows and those before them agree within the tolerance. @param passMs median duration of a pass in each window so far. */
export function hasSettled(passMs: readonly number[], rule: WarmUpRule): boolean {
  if (passMs.length < 2 * rule.windows) return false;
  // With the same number of windows, sums compare like means.
  const late = sumOf(passMs.slice(-rule.windows));
  const early = sumOf(passMs.slice(-2 * rule.windows, -rule.windows));
  return Math.abs(early - late) <= rule.tolerance * late;
}
