// Response time by arrivals per second: measured, and predicted by queueing models from the demand of calls.
import { dot, line, ruleX, ruleY, text, type PlotOptions } from "@observablehq/plot";
import { openResponses, type LoadSeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { chart, panels, ticksFromZero, inkLegend, type Panel, type CurvePoint } from "../marks/panels.ts";
import { colours, type LegendEntry } from "../marks/palette.ts";
import { taskFigure, type Figure, type Plot } from "../marks/plot.ts";
import { axisTicks, duration, type TimeUnit, timeUnitFor } from "../basics/quantity.ts";
import { demandText } from "../tables/load.ts";
import { loadedTasks, seriesId, seriesTitle } from "../rows/load-rows.ts";
import type { ReportInput } from "../view/report-input.ts";

interface LoadPanel extends Panel {
  readonly series: LoadSeries;
  readonly colour: string;
}

const panelHeightPx = 250;
const stepsOfCurve = 120;

const models = [
  { label: "M/M/1", response: "mm1Ms", dash: "7 4" },
  { label: "M/M/c", response: "mmcMs", dash: "9 3 2 3" },
] as const;

function curveOf(
  { series, id }: LoadPanel,
  response: (typeof models)[number]["response"],
  unit: TimeUnit,
): readonly CurvePoint[] {
  const last = series.points.at(-1)?.rateHz ?? 0;
  return Array.from({ length: stepsOfCurve }, (_, step) => ((step + 1) * last) / stepsOfCurve).flatMap((at) => {
    const ms = openResponses(series.demand, at)[response];
    return ms === null ? [] : [{ panel: id, at, y: ms * unit.perMs }];
  });
}

function measuredPoints(shown: readonly LoadPanel[], { perMs }: TimeUnit) {
  return shown.flatMap(({ series, id, colour }) =>
    series.points.flatMap(({ rateHz, responseMs, low, high }) => {
      if (responseMs === null) return [];
      const [below, above] = [(low ?? responseMs) * perMs, (high ?? responseMs) * perMs];
      return [{ panel: id, colour, at: rateHz, y: responseMs * perMs, low: below, high: above }];
    }),
  );
}

function draw(shown: readonly LoadPanel[], unit: TimeUnit, widthPx: number): PlotOptions {
  const layout = panels(shown, widthPx, panelHeightPx);
  const measured = measuredPoints(shown, unit);
  const replayed = shown.flatMap(({ series, id }) =>
    series.points.map(({ rateHz, replayedMs, voidFor }) => {
      return { panel: id, at: rateHz, y: replayedMs * unit.perMs, isVoid: voidFor.length > 0 };
    }),
  );
  const voided = replayed.filter(({ isVoid }) => isVoid);
  const last = Math.max(...replayed.map(({ at }) => at));
  const limits = shown
    .map(({ series, id }) => ({ panel: id, at: 1_000 / series.demand.demandMs }))
    .filter(({ at }) => at <= last);
  const ys = [...measured.flatMap(({ y, low, high }) => [y, low, high]), ...replayed.map(({ y }) => y)];
  // Models go to infinity at capacity, so the measured values determine the axis.
  const [lowest, highest] = [Math.min(...ys) / 1.3, Math.max(...ys) * 1.6];
  const position = { ...layout.facet, x: "at", y: "y" } as const;
  return chart(
    layout.options,
    { type: "linear", domain: [0, last * 1.04], label: "arrivals per second", ticks: ticksFromZero(last, 4) },
    {
      type: "log",
      domain: [lowest, highest],
      clamp: true,
      label: `mean response time, ${unit.symbol} (logarithmic)`,
      ticks: axisTicks([lowest, highest], 7).filter((tick) => tick >= lowest && tick <= highest),
    },
    [
      layout.names,
      ruleX(limits, { ...layout.facet, x: "at", stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      ...models.map(({ response, dash }) =>
        line(
          shown.flatMap((panel) => curveOf(panel, response, unit)).filter(({ y }) => y <= highest),
          { ...position, stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: dash },
        ),
      ),
      dot(replayed, { ...position, stroke: "var(--ink)", symbol: "diamond", r: 4 }),
      ...measured.map((point) => {
        const ends = [point.low, point.high].map((y) => ({ ...point, y }));
        return line(ends, { ...position, stroke: point.colour });
      }),
      dot(measured, { ...position, fill: "colour", stroke: "var(--paper)", r: 4.5 }),
      text(voided, { ...position, text: () => "void", dy: -10, fill: "var(--quiet)" }),
      ruleY([lowest], { stroke: "var(--line)" }),
    ],
  );
}

function legendOf(shown: readonly LoadPanel[]): readonly LegendEntry[] {
  const drawn = models.filter(({ response }) =>
    shown.some(({ series }) => series.points.some(({ predicted }) => predicted[response] !== null)),
  );
  return inkLegend([
    { label: "measured, with 95 % interval", look: { dash: "0 99", symbol: "circle" } },
    ...drawn.map(({ label, dash }) => ({ label, look: { dash, symbol: "none" } as const })),
    { label: "the same arrivals, replayed", look: { dash: "0 99", symbol: "diamond" } },
  ]);
}

function figuresOfTask(shown: readonly LoadPanel[], first: LoadSeries): readonly Figure[] {
  const responses = shown.flatMap(({ series }) => series.points.flatMap(({ responseMs }) => responseMs ?? []));
  if (responses.length === 0) return [];
  const unit = timeUnitFor(responses);
  const ends = shown.map(({ series: { points }, name }) => {
    const kept = points.filter(({ responseMs }) => responseMs !== null);
    const [from, to] = [kept[0], kept.at(-1)].map((point) => duration(point?.responseMs, unit));
    return `${name} from ${from} at ${kept[0]?.rateHz ?? 0} a second to ${to} at ${kept.at(-1)?.rateHz ?? 0}`;
  });
  return [
    taskFigure("response", first, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(first)}: response time over arrivals`,
      alt: `Mean response time in ${unit.symbol}: ${ends.join("; ")}.`,
      caption: `Dotted upright: what one processor can do, by ${demandText(shown.map(({ series }) => series))}; from there on models of the long run have no response time, and measured ones grow with the time that is measured.`,
      legend: legendOf(shown),
      draw: (widthPx) => draw(shown, unit, widthPx),
    }),
  ];
}

/** One figure for each task, with a panel for each of its series. */
function figures(input: ReportInput): readonly Figure[] {
  const colour = colours(input.analysis);
  return loadedTasks(input.analysis.loadSeries).flatMap((ofTask) => {
    const [first] = ofTask;
    const shown = ofTask.map((series) => {
      return { series, id: seriesId(input, series), name: seriesTitle(input, series), colour: colour(series.alone) };
    });
    return first === undefined ? [] : figuresOfTask(shown, first);
  });
}

export const plot: Plot = { name: "response-by-rate", order: 5, figures };
