// How the time of calls is spent as their work grows: waiting, service and transport within the response time.
import type { Metric } from "@roundtrip/analysis";
import type { PlotOptions } from "@observablehq/plot";
import { chart, ticksFromZero } from "../marks/axes.ts";
import { curveMarks, inkLegend } from "../marks/curve.ts";
import { panels } from "../marks/panels.ts";
import { colours } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import type { TaskView } from "../view/run-view.ts";
import { seriesOf, type Series } from "../rows/series.ts";
import { factorLabel, taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";

const panelHeightPx = 230;

const parts = [
  { label: "response", metric: "latencyMs", look: { dash: "none", symbol: "circle" } },
  { label: "served", metric: "serviceMs", look: { dash: "7 4", symbol: "square" } },
  { label: "transport", metric: "transportMs", look: { dash: "2 3", symbol: "triangle" } },
  { label: "waits", metric: "queueMs", look: { dash: "9 3 2 3", symbol: "diamond" } },
] as const;

function meansOf({ points }: Series, metric: Metric): readonly { readonly at: number; readonly ms: number }[] {
  return points.flatMap(({ at, view }) => {
    const ms = view.cost[metric]?.mean;
    return ms === undefined ? [] : [{ at, ms }];
  });
}

interface Drawn {
  readonly task: TaskView;
  readonly series: readonly Series[];
  readonly colour: ReturnType<typeof colours>;
  readonly unit: TimeUnit;
}

function draw({ task, series, colour, unit }: Drawn, widthPx: number): PlotOptions {
  const all = series.map(({ id, title }) => ({ id, name: title }));
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
  const curves = series.flatMap((one) =>
    parts.map(({ metric, look }) => ({
      look,
      colour: colour(one.arm),
      points: meansOf(one, metric).map(({ at, ms }) => ({ panel: one.id, at, y: ms * unit.perMs })),
    })),
  );
  const highest = Math.max(...curves.flatMap(({ points }) => points.map(({ y }) => y)));
  const last = task.sweepValues.at(-1) ?? 1;
  return chart(
    layout.options,
    {
      type: "linear",
      domain: [0, last],
      inset: 8,
      label: factorLabel(task.sweep ?? ""),
      ticks: ticksFromZero(last, 4),
    },
    { domain: [0, highest * 1.05], label: `mean time, ${unit.symbol}`, ticks: ticksFromZero(highest, 5) },
    [
      layout.names,
      ...curves.flatMap(({ points, ...pen }) => curveMarks(points, { ...pen, strokePx: 1.6, pointPx: 3.5, facet })),
    ],
  );
}

/** Whether answers report their times while a factor other than the load varies. */
export function reportsTimes({ sweep, arms }: TaskView): boolean {
  const isLoaded = arms.some(({ arm }) => arm.load !== undefined);
  return sweep !== null && !isLoaded && arms.some(({ cost }) => cost.serviceMs !== undefined);
}

export const plot = taskPlot({
  name: "times-by-difficulty",
  order: 5,
  figure(task, { analysis }) {
    if (!reportsTimes(task)) return null;
    const series = seriesOf(task).filter((one) => meansOf(one, "serviceMs").length > 1);
    if (series.length === 0) return null;
    const factor = factorLabel(task.sweep ?? "");
    const unit = timeUnitFor(series.flatMap((one) => meansOf(one, "latencyMs").map(({ ms }) => ms)));
    const ends = series.map((one) => {
      const each = parts.slice(0, 3).map(({ label, metric }) => {
        const means = meansOf(one, metric);
        const [from, to] = [means[0], means.at(-1)].map((point) => duration(point?.ms, unit));
        return `${label} from ${from} to ${to}`;
      });
      return `${one.title}: ${each.join(", ")}`;
    });
    const colour = colours(analysis);
    return taskFigure("times", task, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: where the time goes over the ${factor}`,
      alt: `Mean times in ${unit.symbol} over the ${factor} from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)}. ${ends.join("; ")}.`,
      caption:
        "One caller, one call after the other. Served and waits are what answers report of the server; transport is the rest of the response: network, style, and the wait for a processor at both ends.",
      legend: inkLegend(parts),
      draw: (widthPx) => draw({ task, series, colour, unit }, widthPx),
    });
  },
});
