// The charts of 2009: calls per second, and seconds per call, of one caller over distance; with the published ones beside.
import { callsInSequence } from "@roundtrip/analysis";
import { dot, line } from "@observablehq/plot";
import { scaleLog } from "d3-scale";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { colours, variantLook, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { number } from "../basics/quantity.ts";
import type { PublishedFigures, ReportInput } from "../view/report-input.ts";
import { isDistance, viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { publishedSeriesOf, seriesName, seriesOf } from "../rows/series.ts";

const mostTicks = 12;
const fewTicks = 4;

interface Curve extends LegendEntry {
  readonly points: readonly { readonly at: number; readonly secondsPerCall: number }[];
}

const sourceLooks: readonly VariantLook[] = [
  { dash: "2 4", symbol: "cross" },
  { dash: "8 4", symbol: "cross" },
  { dash: "8 3 2 3", symbol: "cross" },
];

/** Curves of one colour, which differ in something else than their stack, get strokes that differ. */
function withDashes(curves: readonly Curve[]): readonly Curve[] {
  const strokes = ["none", "6 3", "2 3", "8 3 2 3"];
  return curves.map((curve, index) => {
    const before = curves.slice(0, index).filter(({ colour }) => colour === curve.colour).length;
    return before === 0
      ? curve
      : { ...curve, look: { ...curve.look, dash: strokes[before % strokes.length] ?? "none" } };
  });
}

function curvesOf(task: TaskView, published: readonly PublishedFigures[], { analysis }: ReportInput): readonly Curve[] {
  const colour = colours(analysis);
  const series = seriesOf(task);
  const several = new Set(series.map(({ variant }) => variant)).size > 1;
  const measured = series.map((one): Curve => ({
    label: seriesName(one, several),
    colour: colour(one.arm),
    look: variantLook(one.variant),
    points: one.points.flatMap(({ at, view: { arm, latency } }) =>
      latency === null ? [] : [{ at, secondsPerCall: latency.mean / 1_000 / callsInSequence(arm) }],
    ),
  }));
  const beside = publishedSeriesOf(task, published).map((one, index): Curve => ({
    label: `${one.label}, ${one.name}`,
    colour: "var(--source)",
    look: sourceLooks[index % sourceLooks.length] as VariantLook,
    points: one.points.map(({ at, meanMs }) => ({ at, secondsPerCall: meanMs / 1_000 })),
  }));
  return [...beside, ...withDashes(measured)].filter(({ points }) => points.length > 0);
}

interface Chart {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly valueOf: (secondsPerCall: number) => number;
}

const charts: readonly Chart[] = [
  { id: "rate", title: "calls per second", label: "calls per second", valueOf: (seconds) => 1 / seconds },
  { id: "seconds", title: "seconds per call", label: "seconds per call", valueOf: (seconds) => seconds },
];

/** Round numbers of a logarithmic axis: 1, 2 and 5 of each decade, or more where those are few; as many as fit. */
function ticksBetween(low: number, high: number): readonly number[] {
  const all = scaleLog([low, high], [0, 1]).ticks(20);
  const round = all.filter((tick) => "125".includes(tick.toExponential(0).charAt(0)));
  const apart = Math.log(high / low) / mostTicks;
  return (round.length < fewTicks ? all : round).reduce<readonly number[]>(
    (kept, tick) => (Math.log(tick / (kept.at(-1) ?? 0)) < apart ? kept : [...kept, tick]),
    [],
  );
}

function draw(task: TaskView, chart: Chart, curves: readonly Curve[]): ReturnType<Figure["draw"]> {
  const values = curves.flatMap(({ points }) => points.map(({ secondsPerCall }) => chart.valueOf(secondsPerCall)));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const ends = [low / 1.15, high * 1.15];
  return {
    height: 300,
    marginLeft: 66,
    marginRight: 20,
    marginTop: 12,
    marginBottom: 44,
    x: { type: "linear", domain: [0, task.sweepValues.at(-1) ?? 1], inset: 8 },
    y: { type: "log", domain: ends },
    marks: [
      ...valueAxisY({ label: `${chart.label} (logarithmic)`, ticks: ticksBetween(low / 1.15, high * 1.15) }),
      ...valueAxisX({ label: factorLabel(task.sweep ?? ""), ticks: task.sweepValues }),
      ...curves.flatMap(({ colour, look, points }) => {
        const placed = points.map(({ at, secondsPerCall }) => ({ at, value: chart.valueOf(secondsPerCall) }));
        return [
          line(placed, { x: "at", y: "value", stroke: colour, strokeWidth: 1.75, strokeDasharray: look.dash }),
          dot(placed, {
            x: "at",
            y: "value",
            fill: colour,
            stroke: "var(--paper)",
            symbol: look.symbol === "none" ? "circle" : look.symbol,
            r: 3.5,
          }),
        ];
      }),
    ],
  };
}

/** The way that stands for a task in these charts: its single call, or the façade. */
function coarseOnly(task: TaskView): TaskView {
  const coarse = task.arms.filter(({ arm }) => ["single", "facade"].includes(arm.variant));
  return { ...task, arms: coarse.length === 0 ? task.arms : coarse };
}

function figures(whole: TaskView, published: readonly PublishedFigures[], input: ReportInput): readonly Figure[] {
  const task = coarseOnly(whole);
  const curves = curvesOf(task, published, input);
  if (curves.length === 0) return [];
  const way = task.arms[0]?.arm.variant ?? "single";
  const what = `${taskLabel(task)}${way === "single" ? "" : `, ${variantLabel(way)}`}`;
  return charts.map((chart) => {
    const ends = curves.map(({ label, points }) => {
      const [first, last] = [points[0], points.at(-1)].map((point) =>
        number(chart.valueOf(point?.secondsPerCall ?? Number.NaN)),
      );
      return `${label} from ${first} to ${last}`;
    });
    return {
      name: slug(`${chart.id} ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "sweep",
      size: "half",
      title: `${what}: ${chart.title} over distance`,
      alt: `${chart.title}, of one caller, from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)} ms: ${ends.join("; ")}.`,
      caption: `One caller that waits for each answer.${published.length === 0 ? "" : " Grey: published figures."}`,
      legend: curves,
      draw: () => draw(task, chart, curves),
    };
  });
}

export const plot: Plot = {
  name: "calls-per-second",
  order: 7,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks, published }) =>
      tasks.filter(isDistance).flatMap((task) =>
        figures(
          task,
          published.filter(({ rows }) => rows.some((row) => row.task === task.task)),
          input,
        ),
      ),
    ),
};
