// Round trips of several callers over the pauses between their calls: what was measured, and what mean value analysis makes of one caller. In
// 1996 a picture like this one gave a fault away: round trips that grew with the pauses.
import { dot, line } from "@observablehq/plot";
import { concurrencySeries, configurationOf, type ConcurrencyPoint, type ConcurrencySeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels } from "../marks/panels.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { slug } from "../basics/table.ts";
import { standing } from "../rows/concurrency-rows.ts";
import { markedTitle } from "../view/unsettled-mark.ts";
import { axisTicks, valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 240;

const looks: readonly VariantLook[] = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
];

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
  return looks[all.indexOf(callers) % looks.length] as VariantLook;
}

function draw(shown: readonly CallersPanel[], unit: TimeUnit, widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(shown, widthPx, panelHeightPx);
  const all = callersOf(shown);
  const points = shown.flatMap((panel) => panel.points);
  const highest =
    unit.perMs * Math.max(...points.flatMap(({ measuredMs, predictedMs }) => [measuredMs ?? 0, predictedMs]));
  const last = Math.max(...points.map(({ thinkMs }) => thinkMs));
  const place = { ...layout.facet, x: "thinkMs", y: "y" } as const;
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "linear", domain: [0, last], inset: 10 },
    y: { domain: [0, highest * 1.06] },
    marks: [
      ...valueAxisY({
        label: `mean round trip, ${unit.symbol}`,
        ticks: valueScale([0, highest])
          .ticks(5)
          .filter((tick) => tick >= 0),
      }),
      ...valueAxisX({ label: "mean think time, ms", ticks: axisTicks([0, last], 4).filter((tick) => tick >= 0) }),
      layout.names,
      ...shown.flatMap(({ id, colour, points: own }) =>
        all.flatMap((callers) => {
          const some = own.filter((point) => point.callers === callers);
          const { dash, symbol } = lookOf(callers, all);
          const at = (ms: (point: ConcurrencyPoint) => number | null) =>
            some.flatMap((point) => {
              const value = ms(point);
              return value === null ? [] : [{ panel: id, thinkMs: point.thinkMs, y: value * unit.perMs }];
            });
          return [
            line(
              at(({ predictedMs }) => predictedMs),
              { ...place, stroke: colour, strokeWidth: 1.5, strokeDasharray: dash },
            ),
            dot(
              at(({ measuredMs }) => measuredMs),
              { ...place, fill: colour, stroke: "var(--paper)", symbol: symbol === "none" ? "circle" : symbol, r: 4.5 },
            ),
          ];
        }),
      ),
    ],
  };
}

function figureOf(input: ReportInput, all: readonly ConcurrencySeries[]): readonly Figure[] {
  const series = standing(all);
  const [first] = series;
  const measured = series.flatMap(({ points }) => points.flatMap(({ measuredMs }) => measuredMs ?? []));
  if (first === undefined || measured.length === 0) return [];
  const colour = colours(input.analysis);
  const shown = series.map(({ alone, points }): CallersPanel => ({
    id: configurationOf(alone),
    name: markedTitle(input.analysis, alone),
    colour: colour(alone),
    points,
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
    {
      name: slug(`think ${first.study} ${first.task}`),
      study: first.study,
      task: first.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(first)}: round trips over think time${packets === undefined ? "" : `, calls of ${String(packets)} packet${packets === 1 ? "" : "s"}`}`,
      alt: `Mean round trips in ${unit.symbol}: ${ends.join("; ")}.`,
      caption:
        "Shapes: measured; lines: mean value analysis, fed with one caller who does not think. The more callers think, the shorter are their round trips: shapes that go up show that something is lost in pauses.",
      legend: callers.map((count): LegendEntry => ({
        label: count === 1 ? "1 caller" : `${count} callers`,
        colour: "var(--ink)",
        look: lookOf(count, callers),
      })),
      draw: (widthPx) => draw(shown, unit, widthPx),
    },
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
