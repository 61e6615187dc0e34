// Drift: whether a stack got faster (or slower) within its rounds despite warm-up.
import { configurationOf, stackAsSet, type Arm, type StackAsSet } from "@roundtrip/runs";
import { mean, median } from "d3-array";
import { maxTIntervals } from "../statistics/simultaneous-intervals.ts";
import { randomFrom } from "../statistics/random.ts";
import { ratioOf } from "../comparison/comparison.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";

/** Change of a stack's latency from the first to the last block of a round, without differences between arms and rounds. */
export interface RoundDrift extends StackAsSet {
  /** Latency at the end of a round over that at its start: 0.8 is a fifth faster. */
  readonly ratio: number;
  /** 95 % interval over rounds, simultaneous over the run's stacks; null with too few rounds. */
  readonly low: number | null;
  readonly high: number | null;
  readonly rounds: number;
}

/** One block: its position in its round, from 0 (first) to 1 (last) of those measured together, and its log median, robust against pauses. */
interface Point {
  readonly armId: string;
  readonly round: number;
  readonly position: number;
  readonly logMedian: number;
}

/** Passes that remove arm and round means in turn. With missing blocks each disturbs the other, less in every pass. */
const passes = 20;

function takeOutMeans(values: Float64Array, groups: readonly (readonly number[])[]): void {
  for (const group of groups) {
    const centre = mean(group, (index) => values[index] as number) ?? 0;
    for (const index of group) values[index] = (values[index] as number) - centre;
  }
}

function groupsBy(points: readonly Point[], keyOf: (point: Point) => string | number): readonly (readonly number[])[] {
  return [...Map.groupBy(points.keys(), (index) => keyOf(points[index] as Point)).values()];
}

/**
 * Returns the slope of log latency over the position in the round, per round (NaN without a value). Means of arms and rounds are first removed from
 * both sides: Frisch and Waugh, "Partial Time Regressions as Compared with Individual Trends", Econometrica 1 (1933). So a slow arm that ran late is
 * no drift.
 */
function slopesOf(points: readonly Point[], roundIds: readonly number[]): readonly number[] {
  const byArm = groupsBy(points, ({ armId }) => armId);
  const byRound = groupsBy(points, ({ round }) => round);
  const x = Float64Array.from(points, ({ position }) => position);
  const y = Float64Array.from(points, ({ logMedian }) => logMedian);
  for (let pass = 0; pass < passes; pass += 1) {
    for (const values of [x, y]) for (const groups of [byArm, byRound]) takeOutMeans(values, groups);
  }
  return roundIds.map((round) => {
    let across = 0;
    let along = 0;
    points.forEach((point, index) => {
      if (point.round !== round) return;
      across += (x[index] as number) ** 2;
      along += (x[index] as number) * (y[index] as number);
    });
    return across > 1e-6 ? along / across : Number.NaN;
  });
}

interface Span {
  readonly first: number;
  readonly last: number;
}

function spanOf(numbers: readonly number[]): Span {
  return { first: Math.min(...numbers), last: Math.max(...numbers) };
}

/** The first to the last block that one round measured together. Studies with processes of their own do not mix their blocks. */
function spansOf(blocks: readonly { readonly study: string; readonly block: number }[]): readonly Span[] {
  const ofStudies = [...Map.groupBy(blocks, ({ study }) => study).values()].map((own) =>
    spanOf(own.map(({ block }) => block)),
  );
  const spans: Span[] = [];
  for (const span of ofStudies.toSorted((one, other) => one.first - other.first)) {
    const before = spans.at(-1);
    if (before === undefined || span.first > before.last) spans.push(span);
    else spans.splice(-1, 1, spanOf([before.first, before.last, span.last]));
  }
  return spans;
}

function pointsOf(tasks: readonly ArmTasks[], studyOf: ReadonlyMap<string, string>): readonly Point[] {
  const places = tasks.flatMap(({ armId, blocks }) =>
    blocks.map(({ round, block }) => ({ round, block, study: studyOf.get(armId) ?? "" })),
  );
  const spans = new Map([...Map.groupBy(places, ({ round }) => round)].map(([round, own]) => [round, spansOf(own)]));
  return tasks.flatMap(({ armId, blocks }) =>
    blocks.flatMap(({ round, block, latenciesMs }): readonly Point[] => {
      const medianMs = median(latenciesMs) ?? 0;
      const { first = 0, last = 0 } = spans.get(round)?.find((span) => block <= span.last) ?? {};
      const position = (block - first) / Math.max(last - first, 1);
      return medianMs > 0 ? [{ armId, round, position, logMedian: Math.log(medianMs) }] : [];
    }),
  );
}

/** Drift of every stack whose blocks changed position, with simultaneous intervals over rounds. `tasks` in the order of `arms`. */
export function roundDrifts(
  arms: readonly Arm[],
  tasks: readonly ArmTasks[],
  roundIds: readonly number[],
  seed: number,
): readonly RoundDrift[] {
  const configurations = new Map(arms.map((arm) => [arm.id, configurationOf(arm)]));
  const points = pointsOf(tasks, new Map(arms.map(({ id, study }) => [id, study])));
  const series = [...Map.groupBy(points, ({ armId }) => configurations.get(armId) ?? "")]
    .map(([configuration, own]) => ({ configuration, slopes: slopesOf(own, roundIds) }))
    .filter(({ slopes }) => slopes.some(Number.isFinite));
  const intervals = maxTIntervals(
    series.map(({ slopes }) => slopes),
    randomFrom(seed, "round-drift"),
  );
  return series.flatMap(({ configuration, slopes }, index) => {
    const arm = arms.find((one) => configurations.get(one.id) === configuration);
    return arm === undefined ? [] : [{ ...stackAsSet(arm), ...ratioOf(slopes, intervals[index]) }];
  });
}
