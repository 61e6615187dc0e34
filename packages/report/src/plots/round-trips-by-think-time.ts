// Round trips of several callers by think time: measured, and predicted by mean value analysis from one caller. In 1996 such a picture revealed a
// fault: round trips that grew with the think time.
import type { PlotOptions } from "@observablehq/plot";
import { concurrencySeries, type ConcurrencyPoint, type ConcurrencySeries } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import { taskLabel } from "../words/arm-label.ts";
import { chart, panels, ticksFromZero, curveLooks, curveMarks, inkLegend, type CurvePoint } from "../marks/panels.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import { taskFigure, type Figure, type Plot } from "../marks/plot.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { headlineSeries } from "../rows/load-rows.ts";
import { markedTitle } from "../view/marks.ts";

const panelHeightPx = 240;

interface CallersPanel {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly points: readonly ConcurrencyPoint[];
}

function callersOf(shown: readonly CallersPanel[]): readonly number[] {
  return [...new Set(shown.flatMap(({ points }) => points.map(({ callers }) => callers)))].toSorted((a, b) => a - b);
}

function lookOf(callers: number, all: readonly number[]): VariantLook {
  return curveLooks[all.indexOf(callers) % curveLooks.length] as VariantLook;
}

function draw(shown: readonly CallersPanel[], unit: TimeUnit, widthPx: number): PlotOptions {
  const layout = panels(shown, widthPx, panelHeightPx);
  const { facet } = layout;
  const all = callersOf(shown);
  const points = shown.flatMap((panel) => panel.points);
  const highest =
    unit.perMs * Math.max(...points.flatMap(({ measuredMs, predictedMs }) => [measuredMs ?? 0, predictedMs]));
  const last = Math.max(...points.map(({ thinkMs }) => thinkMs));
  return chart(
    layout.options,
    { type: "linear", domain: [0, last], inset: 10, label: "mean think time, ms", ticks: ticksFromZero(last, 4) },
    { domain: [0, highest * 1.06], label: `mean round trip, ${unit.symbol}`, ticks: ticksFromZero(highest, 5) },
    [
      layout.names,
      ...shown.flatMap(({ id, colour, points: own }) =>
        all.flatMap((callers) => {
          const some = own.filter((point) => point.callers === callers);
          const curveOf = (msOf: (point: ConcurrencyPoint) => number | null): readonly CurvePoint[] =>
            some.flatMap((point) => {
              const ms = msOf(point);
              return ms === null ? [] : [{ panel: id, at: point.thinkMs, y: ms * unit.perMs }];
            });
          return curveMarks(
            curveOf(({ predictedMs }) => predictedMs),
            { colour, look: lookOf(callers, all), strokePx: 1.5, pointPx: 4.5, facet },
            curveOf(({ measuredMs }) => measuredMs),
          );
        }),
      ),
    ],
  );
}

function figureOf(input: ReportInput, all: readonly ConcurrencySeries[]): readonly Figure[] {
  const series = headlineSeries(all);
  const [first] = series;
  const measured = series.flatMap(({ points }) => points.flatMap(({ measuredMs }) => measuredMs ?? []));
  if (first === undefined || measured.length === 0) return [];
  const colour = colours(input.analysis);
  const shown = series.map(({ alone, points }): CallersPanel => ({
    id: configurationOf(alone),
    name: markedTitle(input.analysis, alone),
    colour: colour(alone),
    points: points.filter(({ isWork }) => !isWork),
  }));
  const unit = timeUnitFor(measured);
  const callers = callersOf(shown);
  const most = callers.at(-1);
  const ends = shown.flatMap(({ name, points }) => {
    const kept = points.filter((point) => point.callers === most && point.measuredMs !== null);
    const [from, to] = [kept[0], kept.at(-1)];
    return from === undefined || to === undefined
      ? []
      : [
          `${name} with ${most} callers from ${duration(from.measuredMs, unit)} at ${from.thinkMs} ms of think time to ${duration(to.measuredMs, unit)} at ${to.thinkMs} ms`,
        ];
  });
  const packets = first.alone.factors["packets"];
  return [
    taskFigure("think", first, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(first)}: round trips over think time${packets === undefined ? "" : `, calls of ${String(packets)} packet${packets === 1 ? "" : "s"}`}`,
      alt: `Mean round trips in ${unit.symbol}: ${ends.join("; ")}.`,
      caption:
        "Shapes: measured; lines: mean value analysis, fed with one caller who does not think. The more callers think, the shorter are their round trips: shapes that go up show that something is lost in pauses.",
      legend: inkLegend(
        callers.map((count) => ({
          label: count === 1 ? "1 caller" : `${count} callers`,
          look: lookOf(count, callers),
        })),
      ),
      draw: (widthPx) => draw(shown, unit, widthPx),
    }),
  ];
}

export const plot: Plot = {
  name: "round-trips-by-think-time",
  order: 5,
  figures: (input) => {
    const tasks = Map.groupBy(concurrencySeries(input.analysis), ({ study, task }) => `${study} ${task}`);
    return [...tasks.values()].flatMap((series) => figureOf(input, series));
  },
};
