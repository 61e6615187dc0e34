// A run as a reader walks through it: studies, their tasks, and the arms of a task side by side.
import {
  concurrencySeries,
  pauseCosts,
  sweepOf,
  type Arm,
  type Comparison,
  type Distribution,
  type LateTail,
  type Metric,
  type Summary,
} from "@roundtrip/analysis";
import type { PublishedFigures, ReportInput } from "./report-input.ts";
import { markedTitle } from "./unsettled-mark.ts";

/** One arm with everything that is known about it. */
export interface ArmView {
  /** Its title carries a sign when its stack had not settled. */
  readonly arm: Arm;
  /** Null for an arm that gave no number. */
  readonly latency: Summary | null;
  /** Whether its load was not kept. */
  readonly isVoid: boolean;
  /** Percentiles that are withheld; null where none is. */
  readonly lateTail: LateTail | null;
  readonly distribution: Distribution | null;
  /** How many times the floor it takes; null without a floor. */
  readonly floor: Comparison | null;
  /** Its other metrics, by name; what was not measured is missing. */
  readonly cost: Readonly<Partial<Record<Metric, Summary>>>;
}

/** The arms that do the same task. */
export interface TaskView {
  readonly study: string;
  readonly task: string;
  readonly arms: readonly ArmView[];
  /** The numeric factor that was varied; null when none was. */
  readonly sweep: string | null;
  /** Its values from low to high. */
  readonly sweepValues: readonly number[];
  /** The arms that stand for the task where all cannot be shown: those at the sweep's highest value, and the floor. */
  readonly headline: readonly ArmView[];
}

/** Whether the task was varied over distance: there lines are straight, and those of different machines are alike but for an offset. */
export function isDistance({ sweep }: TaskView): boolean {
  return sweep === "rttMs";
}

export interface StudyView {
  readonly study: string;
  readonly tasks: readonly TaskView[];
  readonly published: readonly PublishedFigures[];
}

// Floor last, so that what was asked about comes first; otherwise as the run listed them.
const floorLast = (arms: readonly ArmView[]): readonly ArmView[] => [
  ...arms.filter(({ arm }) => arm.role === "style"),
  ...arms.filter(({ arm }) => arm.role === "floor"),
];

function taskView(study: string, task: string, unordered: readonly ArmView[]): TaskView {
  const arms = floorLast(unordered);
  const sweep = sweepOf(arms.map(({ arm }) => arm));
  const last = sweep?.values.at(-1);
  return {
    study,
    task,
    arms,
    sweep: sweep?.factor ?? null,
    sweepValues: sweep?.values ?? [],
    headline:
      sweep === null
        ? arms
        : arms.filter(({ arm }) => arm.factors[sweep.factor] === last || arm.factors[sweep.factor] === undefined),
  };
}

/** The studies of a run in the order in which its arms name them. */
export function viewStudies({ analysis, published }: ReportInput): readonly StudyView[] {
  const summaries = Map.groupBy(analysis.summaries, ({ armId }) => armId);
  const distributions = new Map(analysis.distributions.map((row) => [row.armId, row]));
  const floors = new Map(
    analysis.comparisons.filter((row) => row.kind === "floor").map((row) => [row.numeratorId, row]),
  );
  const voided = new Set(analysis.voidCells.map(({ armId }) => armId));
  const views = analysis.arms.map((arm): ArmView => {
    const cost: ArmView["cost"] = Object.fromEntries((summaries.get(arm.id) ?? []).map((row) => [row.metric, row]));
    return {
      arm: { ...arm, title: markedTitle(analysis, arm) },
      latency: cost.latencyMs ?? null,
      isVoid: voided.has(arm.id),
      lateTail: analysis.lateTails.find(({ armId }) => armId === arm.id) ?? null,
      distribution: distributions.get(arm.id) ?? null,
      floor: floors.get(arm.id) ?? null,
      cost,
    };
  });
  return [...Map.groupBy(views, ({ arm }) => arm.study)].map(([study, ofStudy]) => ({
    study,
    tasks: [...Map.groupBy(ofStudy, ({ arm }) => arm.task)].map(([task, ofTask]) => taskView(study, task, ofTask)),
    published: published.filter((figures) => figures.study === study),
  }));
}

/**
 * The tasks that a terminal has figures of their own for: those of the same call at once and after a pause stand in the table of pauses, those
 * under a load beside models.
 */
export function shortTasks({ analysis }: ReportInput, { tasks }: StudyView): readonly TaskView[] {
  const paused = new Set(pauseCosts(analysis).flatMap(({ atOnce, afterPause }) => [atOnce.id, afterPause.id]));
  const loaded = new Set([...analysis.loadSeries, ...concurrencySeries(analysis)].map(({ alone }) => alone.id));
  return tasks.filter(
    ({ arms }) => !arms.some(({ arm }) => loaded.has(arm.id)) && !arms.every(({ arm }) => paused.has(arm.id)),
  );
}
