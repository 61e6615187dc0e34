// Response time over arrivals a second: what was measured, and what queueing models make of what calls were seen to take.
import { dot, line, ruleX, ruleY, text } from "@observablehq/plot";
import { openResponses, type LoadSeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { loadedTasks } from "../view/loaded-tasks.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels } from "../marks/panels.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { slug } from "../basics/table.ts";
import { demandText } from "../tables/load.ts";
import { seriesId, seriesTitle } from "../rows/load-rows.ts";
import { axisTicks } from "../basics/value-scale.ts";

const panelHeightPx = 250;
const stepsOfCurve = 120;

/** The models that have a curve, and how each is drawn. */
const models = [
  { label: "M/M/1", response: "mm1Ms", dash: "7 4" },
  { label: "M/G/1", response: "mg1Ms", dash: "2 3" },
  { label: "M/M/c", response: "mmcMs", dash: "9 3 2 3" },
] as const;

interface Point {
  readonly panel: string;
  readonly at: number;
  readonly y: number;
}

interface LoadPanel {
  readonly series: LoadSeries;
  readonly id: string;
  readonly name: string;
  readonly colour: string;
}

/** A model's curve up to where it has no more to say. */
function curveOf(
  { series, id }: LoadPanel,
  response: (typeof models)[number]["response"],
  unit: TimeUnit,
): readonly Point[] {
  const last = series.points.at(-1)?.rateHz ?? 0;
  return Array.from({ length: stepsOfCurve }, (_, step) => ((step + 1) * last) / stepsOfCurve).flatMap((at) => {
    const ms = openResponses(series.demand, at)[response];
    return ms === null ? [] : [{ panel: id, at, y: ms * unit.perMs }];
  });
}

/** What was measured, with its interval; without one, low and high are the mean. */
function measuredPoints(shown: readonly LoadPanel[], unit: TimeUnit) {
  return shown.flatMap(({ series, id, colour }) =>
    series.points.flatMap(({ rateHz, responseMs, low, high }) =>
      responseMs === null
        ? []
        : [
            {
              panel: id,
              colour,
              at: rateHz,
              y: responseMs * unit.perMs,
              low: (low ?? responseMs) * unit.perMs,
              high: (high ?? responseMs) * unit.perMs,
            },
          ],
    ),
  );
}

function draw(shown: readonly LoadPanel[], unit: TimeUnit, widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(shown, widthPx, panelHeightPx);
  const measured = measuredPoints(shown, unit);
  const replayed = shown.flatMap(({ series, id }) =>
    series.points.map(({ rateHz, replayedMs }): Point => ({ panel: id, at: rateHz, y: replayedMs * unit.perMs })),
  );
  const voided = shown.flatMap(({ series, id }) =>
    series.points
      .filter(({ voidFor }) => voidFor.length > 0)
      .map(({ rateHz, replayedMs }): Point => ({ panel: id, at: rateHz, y: replayedMs * unit.perMs })),
  );
  const limits = shown.map(({ series, id }) => ({ panel: id, at: 1_000 / series.demand.demandMs }));
  const last = Math.max(...shown.flatMap(({ series }) => series.points.map(({ rateHz }) => rateHz)));
  const ys = [...measured.flatMap(({ y, low, high }) => [y, low, high]), ...replayed.map(({ y }) => y)];
  // Models go to infinity where capacity ends: what was measured says how far the picture goes.
  const [lowest, highest] = [Math.min(...ys) / 1.3, Math.max(...ys) * 1.6];
  const { facet } = layout;
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "linear", domain: [0, last * 1.04] },
    y: { type: "log", domain: [lowest, highest], clamp: true },
    marks: [
      ...valueAxisY({
        label: `mean response time, ${unit.symbol} (logarithmic)`,
        ticks: axisTicks([lowest, highest], 7).filter((tick) => tick >= lowest && tick <= highest),
      }),
      ...valueAxisX({ label: "arrivals per second", ticks: axisTicks([0, last], 4).filter((tick) => tick >= 0) }),
      layout.names,
      ruleX(
        limits.filter(({ at }) => at <= last),
        { ...facet, x: "at", stroke: "var(--quiet)", strokeDasharray: "2 3" },
      ),
      ...models.map(({ response, dash }) =>
        line(
          shown.flatMap((panel) => curveOf(panel, response, unit)).filter(({ y }) => y <= highest),
          { ...facet, x: "at", y: "y", stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: dash },
        ),
      ),
      dot(replayed, { ...facet, x: "at", y: "y", stroke: "var(--ink)", symbol: "diamond", r: 4 }),
      ...measured.map((point) =>
        line(
          [point.low, point.high].map((y) => ({ ...point, y })),
          { ...facet, x: "at", y: "y", stroke: point.colour },
        ),
      ),
      dot(measured, { ...facet, x: "at", y: "y", fill: "colour", stroke: "var(--paper)", r: 4.5 }),
      text(voided, { ...facet, x: "at", y: "y", text: () => "void", dy: -10, fill: "var(--quiet)" }),
      ruleY([lowest], { stroke: "var(--line)" }),
    ],
  };
}

function legendOf(shown: readonly LoadPanel[]): readonly LegendEntry[] {
  const drawn = models.filter(({ response }) =>
    shown.some(({ series }) => series.points.some(({ predicted }) => predicted[response] !== null)),
  );
  return [
    { label: "measured, with 95 % interval", colour: "var(--ink)", look: { dash: "0 99", symbol: "circle" } },
    ...drawn.map(({ label, dash }): LegendEntry => ({ label, colour: "var(--ink)", look: { dash, symbol: "none" } })),
    { label: "the same arrivals, replayed", colour: "var(--ink)", look: { dash: "0 99", symbol: "diamond" } },
  ];
}

function figureOf(input: ReportInput, series: readonly LoadSeries[]): readonly Figure[] {
  const [first] = series;
  if (first === undefined || series.every(({ points }) => points.every(({ responseMs }) => responseMs === null)))
    return [];
  const colour = colours(input.analysis);
  const shown = series.map((one): LoadPanel => ({
    series: one,
    id: seriesId(input, one),
    name: seriesTitle(input, one),
    colour: colour(one.alone),
  }));
  const unit = timeUnitFor(series.flatMap(({ points }) => points.flatMap(({ responseMs }) => responseMs ?? [])));
  const ends = shown.map(({ series: { points }, name }) => {
    const kept = points.filter(({ responseMs }) => responseMs !== null);
    const [from, to] = [kept[0], kept.at(-1)].map((point) => duration(point?.responseMs, unit));
    return `${name} from ${from} at ${kept[0]?.rateHz ?? 0} a second to ${to} at ${kept.at(-1)?.rateHz ?? 0}`;
  });
  return [
    {
      name: slug(`response ${first.study} ${first.task}`),
      study: first.study,
      task: first.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(first)}: response time over arrivals`,
      alt: `Mean response time in ${unit.symbol}: ${ends.join("; ")}.`,
      caption: `Dotted upright: what one processor can do, by ${demandText(series)}; from there on models of the long run have no response time, and measured ones grow with the time that is measured.`,
      legend: legendOf(shown),
      draw: (widthPx) => draw(shown, unit, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "response-by-rate",
  order: 5,
  figures: (input) => loadedTasks(input.analysis.loadSeries).flatMap((series) => figureOf(input, series)),
};
