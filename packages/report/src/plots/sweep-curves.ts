// Latency over the factor that was varied, a panel per stack: where façade and chatty part, and where a payload begins to cost.
import { configurationOf, type BreakEven } from "@roundtrip/analysis";
import { areaY, dot, line, ruleX, text, type Markish } from "@observablehq/plot";
import { factorLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels, type Panels } from "../marks/panels.ts";
import { colours, variantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, number, tickLabel, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { isDistance, viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { reportsTimes } from "./times-by-difficulty.ts";
import { seriesName, seriesOf, type Series } from "../rows/series.ts";
import { axisTicks, scaleKindFor, valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 230;
const tcpAndIpHeaderBytes = 40;

interface Point {
  readonly panel: string;
  readonly at: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

interface Curve {
  readonly series: Series;
  readonly colour: string;
  readonly points: readonly Point[];
}

interface Sweep {
  readonly task: TaskView;
  readonly unit: TimeUnit;
  readonly curves: readonly Curve[];
  /** Where the façade begins to be faster than the chatty way, per panel. */
  readonly breakEvens: readonly { readonly panel: string; readonly at: number }[];
  /** What one packet holds, when the sweep is over payloads and crosses it. */
  readonly packetBytes: number | null;
}

/** The series that a break-even was found in; none where none of its means is drawn. */
function seriesWith(row: BreakEven, series: readonly Series[]): Series | undefined {
  return series.find(
    ({ arm }) =>
      configurationOf(arm) === configurationOf(row) &&
      Object.entries(row.factors).every(([name, value]) => arm.factors[name] === value),
  );
}

function sweepOf(task: TaskView, { analysis, facts }: ReportInput): Sweep {
  const colour = colours(analysis);
  const series = seriesOf(task);
  const means = series.flatMap(({ points }) => points.flatMap(({ view }) => view.latency?.mean ?? []));
  const unit = timeUnitFor(means);
  const packet = facts.environment.link.mtuBytes - tcpAndIpHeaderBytes;
  const [low = 0, high = 0] = [task.sweepValues[0], task.sweepValues.at(-1)];
  return {
    task,
    unit,
    curves: series.map((one) => ({
      series: one,
      colour: colour(one.arm),
      points: one.points.flatMap(({ at, view: { latency } }): readonly Point[] => {
        if (latency === null) return [];
        const { mean, meanLow, meanHigh } = latency;
        const [below, above] = [meanLow ?? mean, meanHigh ?? mean];
        return [{ panel: one.id, at, mean: mean * unit.perMs, low: below * unit.perMs, high: above * unit.perMs }];
      }),
    })),
    breakEvens:
      task.sweep === "attributes"
        ? analysis.breakEvens
            .filter((row) => row.study === task.study && row.task === task.task && row.against === "chatty")
            .flatMap((row) => {
              const own = seriesWith(row, series);
              return row.attributes === null || own === undefined ? [] : [{ panel: own.id, at: row.attributes }];
            })
        : [],
    packetBytes: task.sweep === "payloadBytes" && packet > low && packet < high ? packet : null,
  };
}

/** Of sizes on a logarithmic axis those that are a third of it or more apart, the first and the last among them. */
function spaced(values: readonly number[]): readonly number[] {
  const [first = 1, last = 1] = [values[0], values.at(-1)];
  const apart = Math.log(last / first) / 3;
  return values.reduce<readonly number[]>(
    (kept, value) => {
      const fits = Math.log(value / (kept.at(-1) ?? 0)) >= apart && Math.log(last / value) >= apart;
      return fits || value === last ? [...kept, value] : kept;
    },
    [first],
  );
}

function packetBorder(bytes: number | null): readonly Markish[] {
  if (bytes === null) return [];
  return [
    ruleX([bytes], { stroke: "var(--quiet)", strokeDasharray: "2 3" }),
    text([bytes], {
      x: (at: number) => at,
      frameAnchor: "top",
      text: () => "one packet",
      textAnchor: "end",
      dx: -4,
      dy: 4,
      fill: "var(--quiet)",
    }),
  ];
}

function breakEvenBorder(breakEvens: Sweep["breakEvens"], facet: Panels["facet"]): readonly Markish[] {
  return [
    ruleX(breakEvens, { ...facet, x: "at", stroke: "var(--quiet)", strokeDasharray: "2 3" }),
    text(breakEvens, {
      ...facet,
      x: "at",
      frameAnchor: "top",
      text: ({ at }: { readonly at: number }) => `break-even ${number(at)}`,
      textAnchor: "start",
      dx: 5,
      dy: 4,
      fill: "var(--quiet)",
    }),
  ];
}

function draw({ task, unit, curves, breakEvens, packetBytes }: Sweep, widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(
    curves.map(({ series: { id, title } }) => ({ id, name: title })),
    widthPx,
    panelHeightPx,
  );
  const highest = Math.max(...curves.flatMap(({ points }) => points.map(({ high }) => high)));
  const kind = isDistance(task) ? "linear" : scaleKindFor(task.sweepValues);
  const few = task.sweepValues.length <= 6 && kind === "linear";
  const inKilobytes = task.sweep === "payloadBytes";
  const leftmost = Math.min(...task.sweepValues, ...breakEvens.map(({ at }) => at));
  // What is written at the top of a panel needs space above the highest curve.
  const headroom = packetBytes === null && breakEvens.length === 0 ? 1.04 : 1.14;
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: kind, domain: [leftmost, task.sweepValues.at(-1) ?? leftmost], inset: 10 },
    y: { domain: [0, highest * headroom] },
    marks: [
      ...valueAxisY({
        label: `mean latency per task, ${unit.symbol}`,
        ticks: valueScale([0, highest])
          .ticks(5)
          .filter((tick) => tick >= 0),
      }),
      ...valueAxisX(
        {
          label: inKilobytes ? "size of the values, KB" : factorLabel(task.sweep ?? ""),
          ticks: few ? task.sweepValues : inKilobytes ? spaced(task.sweepValues) : axisTicks(task.sweepValues, 4),
        },
        (value) => tickLabel(inKilobytes ? value / 1000 : value),
      ),
      ...packetBorder(packetBytes),
      ...breakEvenBorder(breakEvens, layout.facet),
      layout.names,
      ...curves.flatMap(({ series, colour, points }) => {
        const look = variantLook(series.variant);
        const place = { ...layout.facet, x: "at" } as const;
        return [
          areaY(points, { ...place, y1: "low", y2: "high", fill: colour, fillOpacity: 0.16 }),
          line(points, { ...place, y: "mean", stroke: colour, strokeWidth: 2, strokeDasharray: look.dash }),
          dot(points, { ...place, y: "mean", fill: colour, stroke: "var(--paper)", symbol: look.symbol, r: 4 }),
        ];
      }),
    ],
  };
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const sweep = sweepOf(task, input);
  const { curves, unit } = sweep;
  if (curves.every(({ points }) => points.length === 0)) return [];
  const several = new Set(curves.map(({ series }) => series.variant)).size > 1;
  const variants = [...new Set(curves.map(({ series }) => series.variant))];
  const ends = curves.map(({ series, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    const [from, to] = [first, last].map((point) => duration((point?.mean ?? Number.NaN) / unit.perMs, unit));
    return `${seriesName(series, several)} from ${from} to ${to}`;
  });
  const factor = factorLabel(task.sweep ?? "");
  return [
    {
      name: slug(`curve ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: mean latency over ${factor}`,
      alt: `Curves over ${factor} from ${task.sweepValues[0]} to ${task.sweepValues.at(-1)}, in ${unit.symbol}: ${ends.join("; ")}.`,
      caption:
        "One panel per stack, all on one scale. Bands: 95 % intervals of the mean at the level of rounds." +
        (sweep.breakEvens.length === 0
          ? ""
          : " Dotted upright: where the lines fitted through façade and chatty cross; a panel without one has no such crossing, or is the floor's.") +
        (sweep.packetBytes === null ? "" : " Dotted upright: what one packet of this link holds."),
      legend: several
        ? variants.map((variant) => ({
            label: variantLabel(variant),
            colour: "var(--ink)",
            look: variantLook(variant),
          }))
        : [],
      draw: (widthPx) => draw(sweep, widthPx),
    },
  ];
}

/** Windows have a picture of their own, which says what they let through, loads have some with models, and what reports its times has one with those. */
function hasCurves(task: TaskView): boolean {
  const { sweep, arms } = task;
  const isLoaded = arms.some(({ arm }) => arm.load !== undefined);
  return sweep !== null && sweep !== "receiveWindowBytes" && !isLoaded && !reportsTimes(task);
}

export const plot: Plot = {
  name: "sweep-curves",
  order: 5,
  figures: (input) =>
    viewStudies(input).flatMap(({ tasks }) => tasks.filter(hasCurves).flatMap((task) => figure(task, input))),
};
