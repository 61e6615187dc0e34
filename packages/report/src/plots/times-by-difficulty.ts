// Where the time of calls goes as their work grows: the response, and of it what was waited for, served and spent on the way.
import { dot, line } from "@observablehq/plot";
import type { Metric } from "@roundtrip/analysis";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels } from "../marks/panels.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { seriesOf, type Series } from "../rows/series.ts";
import { axisTicks } from "../basics/value-scale.ts";
import { factorLabel, taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";

const panelHeightPx = 230;

const parts = [
  { label: "response", metric: "latencyMs", look: { dash: "none", symbol: "circle" } },
  { label: "served", metric: "serviceMs", look: { dash: "7 4", symbol: "square" } },
  { label: "transport", metric: "transportMs", look: { dash: "2 3", symbol: "triangle" } },
  { label: "waits", metric: "queueMs", look: { dash: "9 3 2 3", symbol: "diamond" } },
] as const satisfies readonly { readonly label: string; readonly metric: Metric; readonly look: object }[];

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

function draw({ task, series, colour, unit }: Drawn, widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(
    series.map(({ id, title }) => ({ id, name: title })),
    widthPx,
    panelHeightPx,
  );
  const curves = series.flatMap((one) =>
    parts.map(({ metric, look }) => ({
      look,
      stroke: colour(one.arm),
      points: meansOf(one, metric).map(({ at, ms }) => ({ panel: one.id, at, y: ms * unit.perMs })),
    })),
  );
  const highest = Math.max(...curves.flatMap(({ points }) => points.map(({ y }) => y)));
  const last = task.sweepValues.at(-1) ?? 1;
  const place = { ...layout.facet, x: "at", y: "y" } as const;
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "linear", domain: [0, last], inset: 8 },
    y: { domain: [0, highest * 1.05] },
    marks: [
      ...valueAxisY({
        label: `mean time, ${unit.symbol}`,
        ticks: axisTicks([0, highest], 5).filter((tick) => tick >= 0),
      }),
      ...valueAxisX({
        label: factorLabel(task.sweep ?? ""),
        ticks: axisTicks([0, last], 4).filter((tick) => tick >= 0),
      }),
      layout.names,
      ...curves.flatMap(({ points, look, stroke }) => [
        line(points, { ...place, stroke, strokeWidth: 1.6, strokeDasharray: look.dash }),
        dot(points, { ...place, fill: stroke, stroke: "var(--paper)", symbol: look.symbol, r: 3.5 }),
      ]),
    ],
  };
}

/** Whether answers report where their time went while something else than the load was varied. */
export function reportsTimes({ sweep, arms }: TaskView): boolean {
  const isLoaded = arms.some(({ arm }) => arm.load !== undefined);
  return sweep !== null && !isLoaded && arms.some(({ cost }) => cost.serviceMs !== undefined);
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const series = seriesOf(task).filter((one) => meansOf(one, "serviceMs").length > 1);
  if (series.length === 0) return [];
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
  const colour = colours(input.analysis);
  return [
    {
      name: slug(`times ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: where the time goes over the ${factor}`,
      alt: `Mean times in ${unit.symbol} over the ${factor} from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)}. ${ends.join("; ")}.`,
      caption:
        "One caller, one call after the other. Served and waits are what answers report of the server; transport is the rest of the response: network, style, and the wait for a processor at both ends.",
      legend: parts.map(({ label, look }) => ({ label, colour: "var(--ink)", look })),
      draw: (widthPx) => draw({ task, series, colour, unit }, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "times-by-difficulty",
  order: 5,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks }) => tasks.filter(reportsTimes).flatMap((task) => figure(task, input))),
};
