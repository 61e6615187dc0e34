// Calls per second, and seconds per call, of one caller over distance: the charts of 2009, beside the published ones.
import { callsInSequence } from "@roundtrip/analysis";
import type { PlotOptions } from "@observablehq/plot";
import { scaleLog } from "d3-scale";
import { chart } from "../marks/axes.ts";
import { curveMarks } from "../marks/curve.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { colours, variantLook, type VariantLook } from "../marks/palette.ts";
import { taskFigure, type Figure, type Plot } from "../marks/plot.ts";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { number } from "../basics/quantity.ts";
import type { PublishedFigures, ReportInput } from "../view/report-input.ts";
import { isDistance, viewStudies, type TaskView } from "../view/run-view.ts";
import { publishedSeriesOf, seriesName, seriesOf } from "../rows/series.ts";

const mostTicks = 12;
const fewTicks = 4;

interface Curve extends LegendEntry {
  readonly look: VariantLook;
  readonly points: readonly { readonly at: number; readonly secondsPerCall: number }[];
}

const sourceLooks: readonly VariantLook[] = [
  { dash: "2 4", symbol: "cross" },
  { dash: "8 4", symbol: "cross" },
  { dash: "8 3 2 3", symbol: "cross" },
];

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

const charts = [
  { id: "rate", title: "calls per second", valueOf: (seconds: number) => 1 / seconds },
  { id: "seconds", title: "seconds per call", valueOf: (seconds: number) => seconds },
] as const;

type Chart = (typeof charts)[number];

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

function draw(task: TaskView, { title, valueOf }: Chart, curves: readonly Curve[]): PlotOptions {
  const values = curves.flatMap(({ points }) => points.map(({ secondsPerCall }) => valueOf(secondsPerCall)));
  const [low, high] = [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
  return chart(
    { height: 300, marginRight: 20, marginTop: 12, marginBottom: 44 },
    {
      type: "linear",
      domain: [0, task.sweepValues.at(-1) ?? 1],
      inset: 8,
      label: factorLabel(task.sweep ?? ""),
      ticks: task.sweepValues,
    },
    { type: "log", domain: [low, high], label: `${title} (logarithmic)`, ticks: ticksBetween(low, high) },
    curves.flatMap(({ colour, look, points }) => {
      const curve = points.map(({ at, secondsPerCall }) => ({ at, y: valueOf(secondsPerCall) }));
      return curveMarks(curve, { colour, look, strokePx: 1.75, pointPx: 3.5 });
    }),
  );
}

function coarseOnly(task: TaskView): TaskView {
  const coarse = task.arms.filter(({ arm }) => ["single", "facade"].includes(arm.variant));
  return { ...task, arms: coarse.length === 0 ? task.arms : coarse };
}

function figures(whole: TaskView, all: readonly PublishedFigures[], input: ReportInput): readonly Figure[] {
  const task = coarseOnly(whole);
  const published = all.filter(({ rows }) => rows.some((row) => row.task === task.task));
  const curves = curvesOf(task, published, input);
  if (curves.length === 0) return [];
  const variant = task.arms[0]?.arm.variant ?? "single";
  const what = `${taskLabel(task)}${variant === "single" ? "" : `, ${variantLabel(variant)}`}`;
  return charts.map((one) => {
    const ends = curves.map(({ label, points }) => {
      const [first, last] = [points[0], points.at(-1)].map((point) =>
        number(one.valueOf(point?.secondsPerCall ?? Number.NaN)),
      );
      return `${label} from ${first} to ${last}`;
    });
    return taskFigure(one.id, task, {
      topic: "sweep",
      size: "half",
      title: `${what}: ${one.title} over distance`,
      alt: `${one.title}, of one caller, from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)} ms: ${ends.join("; ")}.`,
      caption: `One caller that waits for each answer.${published.length === 0 ? "" : " Grey: published figures."}`,
      legend: curves,
      draw: () => draw(task, one, curves),
    });
  });
}

export const plot: Plot = {
  name: "calls-per-second",
  order: 7,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks, published }) =>
      tasks.filter(isDistance).flatMap((task) => figures(task, published, input)),
    ),
};
