// Latency over the swept factor, a panel per stack: where façade and chatty diverge, and where payload starts to cost.
import { type BreakEven } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import { ruleX, text, type Markish, type PlotOptions } from "@observablehq/plot";
import { factorLabel, taskLabel } from "../words/arm-label.ts";
import {
  chart,
  panels,
  ticksFromZero,
  curveMarks,
  variantLegend,
  type Panels,
  type CurvePoint,
} from "../marks/panels.ts";
import { colours, variantLooks } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import {
  axisTicks,
  duration,
  number,
  scaleKindFor,
  tickLabel,
  type TimeUnit,
  timeUnitFor,
} from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { isDistance, type TaskView } from "../view/run-view.ts";
import { positionText, seriesName, seriesOf, type Series } from "../rows/series.ts";

const panelHeightPx = 230;
const tcpAndIpHeaderBytes = 40;

interface Curve {
  readonly series: Series;
  readonly colour: string;
  readonly points: readonly (CurvePoint & { readonly low: number; readonly high: number })[];
}

interface Sweep {
  readonly task: TaskView;
  readonly unit: TimeUnit;
  readonly curves: readonly Curve[];
  /** From which value on the façade is faster than chatty, per panel. */
  readonly breakEvens: readonly { readonly panel: string; readonly at: number }[];
  readonly isLogarithmic: boolean;
  /** Payload of one packet, if a sweep over payloads crosses it. */
  readonly packetBytes: number | null;
}

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
  const positions = new Map(task.sweepValues.map((value, index) => [value, task.sweepPositions[index] ?? value]));
  const isLogarithmic = isWideSweep(task, series);
  // An end of an interval below 0 has no place on a logarithmic axis.
  const lowest = isLogarithmic ? Math.min(...means) / 1.5 : Number.NEGATIVE_INFINITY;
  return {
    task,
    unit,
    curves: series.map((one) => ({
      series: one,
      colour: colour(one.arm),
      points: one.points.flatMap(({ at, view: { latency } }) => {
        if (latency === null) return [];
        const { mean, meanLow, meanHigh } = latency;
        const [below, above] = [meanLow ?? mean, meanHigh ?? mean];
        const [y, bottom, top] = [mean, Math.max(below, lowest), above].map((ms) => ms * unit.perMs);
        return [
          { panel: one.id, at: positions.get(at) ?? at, y: y as number, low: bottom as number, high: top as number },
        ];
      }),
    })),
    breakEvens: analysis.breakEvens
      .filter((row) => row.study === task.study && row.task === task.task)
      .filter((row) => row.factor === task.sweep && row.against === "chatty")
      .flatMap((row) => {
        const own = seriesWith(row, series);
        const at = row.line?.at ?? null;
        return at === null || own === undefined ? [] : [{ panel: own.id, at }];
      }),
    isLogarithmic,
    packetBytes: task.sweep === "payloadBytes" && packet > low && packet < high ? packet : null,
  };
}

/** From this ratio of the largest to the smallest value on, curves lie on top of each other on a linear axis. */
const logarithmicFrom = 10;

function isWide(values: readonly number[]): boolean {
  const lowest = Math.min(...values);
  return lowest > 0 && Math.max(...values) / lowest >= logarithmicFrom;
}

/** Over distance, only curves that differ so much at one of them: else round trips are straight lines on linear axes. */
function isWideSweep(task: TaskView, series: readonly Series[]): boolean {
  const points = series.flatMap((one) =>
    one.points.flatMap(({ at, view }) => (view.latency === null ? [] : [{ at, ms: view.latency.mean }])),
  );
  const groups = isDistance(task) ? [...Map.groupBy(points, ({ at }) => at).values()] : [points];
  return groups.some((group) => isWide(group.map(({ ms }) => ms)));
}

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

const borderStroke = { stroke: "var(--quiet)", strokeDasharray: "2 3" } as const;

function packetBorder(bytes: number | null): readonly Markish[] {
  if (bytes === null) return [];
  const at = { x: (position: number) => position, frameAnchor: "top", textAnchor: "end", dx: -4, dy: 4 } as const;
  return [ruleX([bytes], borderStroke), text([bytes], { ...at, text: () => "one packet", fill: "var(--quiet)" })];
}

function breakEvenLabel({ at }: { readonly at: number }): string {
  return `break-even ${number(at)}`;
}

function breakEvenBorder(breakEvens: Sweep["breakEvens"], facet: Panels["facet"]): readonly Markish[] {
  const position = { ...facet, x: "at", frameAnchor: "top", textAnchor: "start", dx: 5, dy: 4 } as const;
  return [
    ruleX(breakEvens, { ...facet, x: "at", ...borderStroke }),
    text(breakEvens, { ...position, text: breakEvenLabel, fill: "var(--quiet)" }),
  ];
}

function draw({ task, unit, curves, breakEvens, isLogarithmic, packetBytes }: Sweep, widthPx: number): PlotOptions {
  const all = curves.map(({ series: { id, title } }) => ({ id, name: title }));
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
  const ends = curves.flatMap(({ points }) => points);
  const highest = Math.max(...ends.map(({ high }) => high));
  const lowest = Math.min(...ends.map(({ low }) => low));
  const lookOf = variantLooks(curves.map(({ series }) => series.variant));
  const kind = isDistance(task) && !isLogarithmic ? "linear" : scaleKindFor(task.sweepPositions);
  const few = task.sweepPositions.length <= 6;
  const inKilobytes = task.sweep === "payloadBytes";
  const leftmost = Math.min(...task.sweepPositions, ...breakEvens.map(({ at }) => at));
  // Labels at the top of a panel need space above the highest curve.
  const headroom = packetBytes === null && breakEvens.length === 0 ? 1.04 : 1.14;
  return chart(
    layout.options,
    {
      type: kind,
      domain: [leftmost, task.sweepPositions.at(-1) ?? leftmost],
      inset: 10,
      label: inKilobytes ? "size of the values, KB" : factorLabel(task.sweep ?? ""),
      ticks: inKilobytes ? spaced(task.sweepValues) : few ? task.sweepPositions : axisTicks(task.sweepPositions, 4),
      text: (value) => (inKilobytes ? tickLabel(value / 1000) : positionText(value, task)),
    },
    isLogarithmic
      ? {
          type: "log",
          domain: [lowest, highest * headroom ** 3],
          label: `mean latency per task, ${unit.symbol} (logarithmic)`,
          ticks: axisTicks([lowest, highest], 6),
        }
      : {
          domain: [0, highest * headroom],
          label: `mean latency per task, ${unit.symbol}`,
          ticks: ticksFromZero(highest, 5),
        },
    [
      ...packetBorder(packetBytes),
      ...breakEvenBorder(breakEvens, facet),
      layout.names,
      ...curves.flatMap(({ series: { variant }, colour, points }) =>
        curveMarks(points, { colour, look: lookOf(variant), strokePx: 2, pointPx: 4, facet, band: 0.16 }),
      ),
    ],
  );
}

/** Loads have their own plot, and windows their own table. */
function hasCurves(task: TaskView): boolean {
  const { sweep, arms } = task;
  const isLoaded = arms.some(({ arm }) => arm.load !== undefined);
  return sweep !== null && sweep !== "receiveWindowBytes" && !isLoaded;
}

export const plot = taskPlot({
  name: "sweep-curves",
  order: 5,
  figure(task, input) {
    if (!hasCurves(task)) return null;
    const sweep = sweepOf(task, input);
    const { curves, unit } = sweep;
    if (curves.every(({ points }) => points.length === 0)) return null;
    const legend = variantLegend(curves.map(({ series }) => series.variant));
    const several = legend.length > 1;
    const ends = curves.map(({ series, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      const [from, to] = [first, last].map((point) => duration((point?.y ?? Number.NaN) / unit.perMs, unit));
      return `${seriesName(series, several)} from ${from} to ${to}`;
    });
    const factor = factorLabel(task.sweep ?? "");
    const range = [0, -1].map((index) => positionText(task.sweepPositions.at(index) ?? 0, task)).join(" to ");
    return taskFigure("curve", task, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: mean latency over ${factor}`,
      alt: `Curves over ${factor} from ${range}, in ${unit.symbol}: ${ends.join("; ")}.`,
      caption:
        "One panel per stack, all on one scale. Bands: 95 % intervals of the mean at the level of rounds." +
        (sweep.breakEvens.length === 0
          ? ""
          : " Dotted upright: where the lines fitted through façade and chatty cross; a panel without one has no such crossing, or is the floor's.") +
        (sweep.packetBytes === null ? "" : " Dotted upright: what one packet of this link holds."),
      legend: several ? legend : [],
      draw: (widthPx) => draw(sweep, widthPx),
    });
  },
});
