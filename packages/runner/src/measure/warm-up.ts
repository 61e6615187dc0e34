// How long processes warm up, with which calls, and whether their times have settled.
import { isDeepStrictEqual } from "node:util";
import type { WarmUpTrend } from "@roundtrip/runs";
import type { Plan } from "../study/study.ts";

export interface WarmUpRule {
  readonly minMs: number;
  /** The maximum duration, if the rule goes on until times have settled. */
  readonly maxMs: number;
  /** The minimum number of passes, even after `maxMs`. */
  readonly leastPasses: number;
  /** How much faster the last passes may be than the first, as a share. */
  readonly tolerance: number;
  /** Whether to go on up to `maxMs` until the last two thirds have settled. Otherwise passes are judged once: who looks often sees noise settle. */
  readonly untilSettled: boolean;
  /** Whether an arm with sequential calls is left out if another makes the same at once: that runs the same code, and waits less for a network. */
  readonly leavesOutRepeats: boolean;
  /** With 0 a pass runs one task of every arm, otherwise this many of arms under load, and at least one per caller. All callers call at once. */
  readonly tasksUnderLoad: number;
}

/** How much longer each pair warms up alone than all together. Four pairs then take six times as long in all: 2.7 s by default. */
const timesAlone = 1.25;

/** The tolerance of a pair alone. In simulated starts (warm-up-decays.test.ts) less marks too many warm pairs as cold. */
const toleranceAlone = 0.035;

/** Concurrent callers run code that a single one never does, such as queues and more connections. It compiles after some thousand calls. */
const mostTimesUnderLoad = 3;

/** With one task per caller, the last caller would often run alone. */
const tasksUnderLoad = 16;

/** Beside many others, calls settle later than alone. Over the farthest links two passes may take longer; they are compared in any case. */
const mostMsFar = 3_000;

/** All pairs at once for this long, to compile code; then each alone; then any load. Far pairs have a single rule: they hardly use a processor. */
export function warmUpRules(
  togetherMs: number,
): Readonly<Record<"together" | "alone" | "underLoad" | "far", WarmUpRule>> {
  const aloneMs = timesAlone * togetherMs;
  const near = { leastPasses: 1, untilSettled: false, leavesOutRepeats: false, tasksUnderLoad: 0 };
  return {
    together: { minMs: togetherMs, maxMs: togetherMs, tolerance: 0, ...near },
    alone: { minMs: aloneMs, maxMs: aloneMs, tolerance: toleranceAlone, ...near },
    underLoad: {
      minMs: togetherMs,
      maxMs: mostTimesUnderLoad * togetherMs,
      tolerance: 0.1,
      ...near,
      // Without a comparison it must not count as unsettled.
      leastPasses: 4,
      untilSettled: true,
      tasksUnderLoad,
    },
    far: {
      minMs: togetherMs,
      maxMs: Math.max(mostMsFar, togetherMs),
      tolerance: 0.05,
      ...near,
      leastPasses: 2,
      untilSettled: true,
      leavesOutRepeats: true,
    },
  };
}

/** The default stacks and the floor, for which the time together is chosen. */
const usualPairs = 4;

/** The rule for this many pairs at once. More than usual take longer in proportion, or code would be compiled while it is measured. */
export function togetherRule(togetherMs: number, pairs: number): WarmUpRule {
  const ms = togetherMs * Math.max(1, pairs / usualPairs);
  return { ...warmUpRules(togetherMs).together, minMs: ms, maxMs: ms };
}

/** The floor and calls in process run little code, many more times: their compilers end in half the time of others. */
const shareOfSmallCode = 0.5;

export function smallCodeRule(togetherMs: number): WarmUpRule {
  const { alone } = warmUpRules(togetherMs);
  return { ...alone, minMs: shareOfSmallCode * alone.minMs, maxMs: shareOfSmallCode * alone.maxMs };
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
  return [...groups.values()].flatMap((sameLoad) => sameLoad.toSorted((a, b) => b.callers - a.callers).slice(0, 1));
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

/** True if a process may stop warming up. @param passesMs durations of the passes so far */
export function isOver(passesMs: readonly number[], elapsedMs: number, rule: WarmUpRule): boolean {
  if (elapsedMs < rule.minMs || passesMs.length < rule.leastPasses) return false;
  return elapsedMs >= rule.maxMs || trendOf(passesMs, rule) === "over";
}

/**
 * The trend of the passes towards shorter times. It is over where noise is small enough to see a trend beyond the tolerance, and there is none. It is
 * falling where times fall by more than the tolerance and noise explain.
 */
export function trendOf(passesMs: readonly number[], { tolerance, untilSettled }: WarmUpRule): WarmUpTrend {
  // Far passes take as long as the network, and are few.
  if (untilSettled) return declineOf(passesMs.slice(Math.floor(passesMs.length / 3))) <= tolerance ? "over" : "falling";
  if (passesMs.length < fewestPasses) return "hidden";
  const decline = declineOf(passesMs);
  const error = errorOf(passesMs);
  if (error <= mostError * tolerance && decline <= tolerance) return "over";
  return decline > tolerance + surely * error ? "falling" : "hidden";
}

/** The middle value; of an even number the mean of both. */
function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const middle = (ascending.length - 1) / 2;
  return ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

interface Thirds {
  readonly early: readonly number[];
  readonly late: readonly number[];
}

function thirdsOf(passesMs: readonly number[]): Thirds {
  const size = Math.max(1, Math.floor(passesMs.length / 3));
  return { early: passesMs.slice(0, size), late: passesMs.slice(-size) };
}

/** The usual distance of a pass from the median of its third, as a share of that: a standard deviation without its outliers. */
function scatterOf({ early, late }: Thirds): number {
  const deviations = [early, late].flatMap((third) => {
    const centre = medianOf(third);
    return third.map((ms) => Math.abs(ms / centre - 1));
  });
  // For normal noise: the quartiles lie 0.6745 standard deviations from the centre.
  return medianOf(deviations) / 0.6745;
}

/**
 * How much faster the last third of the passes is than the first, as a share. Medians are compared: one pass that a garbage collection or another
 * process delays says nothing. Infinite with fewer than two passes.
 */
function declineOf(passesMs: readonly number[]): number {
  if (passesMs.length < 2) return Infinity;
  const { early, late } = thirdsOf(passesMs);
  return 1 - medianOf(late) / medianOf(early);
}

/** A larger standard error of the trend, in tolerances, hides it. */
const mostError = 1.5;

/** Three in a third: with fewer, the noise is unknown. */
const fewestPasses = 9;

/** Standard errors beyond the tolerance: noise alone is beyond them in one warm-up of twenty at most. */
const surely = 1.645;

/** The standard error of the decline. That of a median is √(π / 2) times that of a mean. */
function errorOf(passesMs: readonly number[]): number {
  const thirds = thirdsOf(passesMs);
  return scatterOf(thirds) * Math.sqrt(((Math.PI / 2) * 2) / thirds.early.length);
}
