// A run in the order of a report: studies, their tasks, the arms of each task, and the positions of tables.
import {
  concurrencySeries,
  distanceOfArm,
  pauseCosts,
  sweepOf,
  type Comparison,
  type Distribution,
  type WithheldPercentiles,
  type Metric,
  type Summary,
} from "@roundtrip/analysis";
import type { Arm, PublishedFigures } from "@roundtrip/runs";
import type { NamedTable, Topic } from "../basics/table.ts";
import type { ReportInput } from "./report-input.ts";
import { markedTitle } from "./marks.ts";

/** `short`: what fits a terminal. */
export type TableExtent = "all" | "short";

interface Ordered {
  /** Equal to its file name. */
  readonly name: string;
  /** Reports show the tables of one position from low to high. */
  readonly order: number;
}

/** Shown with one task: beside the pictures of a topic, or among the folded `details`. */
export interface TaskTable extends Ordered {
  readonly section: Topic | "details";
  /** Null when the task has no data for it. */
  table(input: ReportInput, study: StudyView, task: TaskView): NamedTable | null;
}

/** Shown after the tasks of a study, as conclusions from all of them, or before them: the table of a publication. */
export interface StudyTable extends Ordered {
  readonly section: "study" | "published";
  tables(input: ReportInput, study: StudyView, extent: TableExtent): readonly NamedTable[];
}

/** Shown once per report, in its own section. */
export interface RunTable extends Ordered {
  readonly section: "first calls" | "environment";
  tables(input: ReportInput): readonly NamedTable[];
}

/** A table is a file in `tables/` that exports `reportTable`. */
export type ReportTable = TaskTable | StudyTable | RunTable;

export interface ArmView {
  /** Its title has a mark when its stack had not settled. */
  readonly arm: Arm;
  /** Null for an arm without a figure. */
  readonly latency: Summary | null;
  readonly isVoid: boolean;
  readonly lateTail: WithheldPercentiles | null;
  readonly distribution: Distribution | null;
  /** Ratio to the floor; null without a floor. */
  readonly floor: Comparison | null;
  /** Ratio to the same call in process; null without one. */
  readonly inProcess: Comparison | null;
  /** Its other metrics by name, without those that were not measured. */
  readonly cost: Readonly<Partial<Record<Metric, Summary>>>;
}

export interface TaskView {
  readonly study: string;
  readonly task: string;
  readonly arms: readonly ArmView[];
  /** The numeric factor that varies; null without one. */
  readonly sweep: string | null;
  /** Its values from low to high. */
  readonly sweepValues: readonly number[];
  /** In the same order, where these values lie: distances as measured, all others as requested. */
  readonly sweepPositions: readonly number[];
  /** The arms to show where not all fit: those at the sweep's highest value, and the floor. */
  readonly headline: readonly ArmView[];
  /** Of the headline, the same calls in process. Only tables of figures show them: in a plot, microseconds would squeeze all others. */
  readonly inProcess: readonly ArmView[];
}

/** Whether the task varies distance: its lines are straight, and differ between machines only by an offset. */
export function isDistance({ sweep }: TaskView): boolean {
  return sweep === "rttMs";
}

export interface StudyView {
  readonly study: string;
  readonly tasks: readonly TaskView[];
  readonly published: readonly PublishedFigures[];
}

const floorLast = (arms: readonly ArmView[]): readonly ArmView[] => [
  ...arms.filter(({ arm }) => arm.role === "style"),
  ...arms.filter(({ arm }) => arm.role === "floor"),
];

function taskView(
  study: string,
  task: string,
  unordered: readonly ArmView[],
  distanceOf: ReturnType<typeof distanceOfArm>,
): TaskView {
  const arms = floorLast(unordered);
  const sweep = sweepOf(arms.map(({ arm }) => arm));
  const last = sweep?.values.at(-1);
  const atTheEnd = (all: readonly ArmView[]): readonly ArmView[] =>
    sweep === null
      ? all
      : all.filter(({ arm }) => arm.factors[sweep.factor] === last || arm.factors[sweep.factor] === undefined);
  return {
    study,
    task,
    arms,
    sweep: sweep?.factor ?? null,
    sweepValues: sweep?.values ?? [],
    sweepPositions: (sweep?.values ?? []).map((value) => {
      const far = arms.find(({ arm }) => sweep?.factor === "rttMs" && arm.factors["rttMs"] === value);
      return (far && distanceOf(far.arm)) ?? value;
    }),
    headline: atTheEnd(arms),
    inProcess: atTheEnd(unordered.filter(({ arm }) => arm.role === "in-process")),
  };
}

export function viewStudies({ analysis, facts, published }: ReportInput): readonly StudyView[] {
  const distanceOf = distanceOfArm(facts.environment);
  const summaries = Map.groupBy(analysis.summaries, ({ armId }) => armId);
  const distributions = new Map(analysis.distributions.map((row) => [row.armId, row]));
  const [floors, inProcess] = (["floor", "in-process"] as const).map(
    (kind) => new Map(analysis.comparisons.filter((row) => row.kind === kind).map((row) => [row.numeratorId, row])),
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
      floor: floors?.get(arm.id) ?? null,
      inProcess: inProcess?.get(arm.id) ?? null,
      cost,
    };
  });
  return [...Map.groupBy(views, ({ arm }) => arm.study)].map(([study, ofStudy]) => ({
    study,
    tasks: [...Map.groupBy(ofStudy, ({ arm }) => arm.task)].map(([task, ofTask]) =>
      taskView(study, task, ofTask, distanceOf),
    ),
    published: published.filter((figures) => figures.study === study),
  }));
}

/** The tasks with their own figures in a terminal. Excludes those in the table of pauses and those beside load models. */
export function shortTasks({ analysis }: ReportInput, { tasks }: StudyView): readonly TaskView[] {
  const paused = new Set(pauseCosts(analysis).flatMap(({ atOnce, afterPause }) => [atOnce.id, afterPause.id]));
  const loaded = new Set([...analysis.loadSeries, ...concurrencySeries(analysis)].map(({ alone }) => alone.id));
  return tasks.filter(
    ({ arms }) => !arms.some(({ arm }) => loaded.has(arm.id)) && !arms.every(({ arm }) => paused.has(arm.id)),
  );
}
