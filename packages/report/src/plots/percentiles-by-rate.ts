// Percentiles of response time over arrivals a second: where the tail leaves the middle, and where it crosses the limit that was asked for.
import { dot, line, ruleY, text } from "@observablehq/plot";
import type { CarriedLoad, LoadSeries, MeasuredPercentiles } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { loadedTasks } from "../view/loaded-tasks.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels } from "../marks/panels.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { slug } from "../basics/table.ts";
import { seriesId, seriesTitle } from "../rows/load-rows.ts";
import { axisTicks } from "../basics/value-scale.ts";

const panelHeightPx = 230;

/** From the middle to the tail. */
const shown = [
  { label: "p50", of: "p50Ms", look: { dash: "7 4", symbol: "circle" } },
  { label: "p90", of: "p90Ms", look: { dash: "2 3", symbol: "triangle" } },
  { label: "p99", of: "p99Ms", look: { dash: "none", symbol: "square" } },
  { label: "p99.9", of: "p999Ms", look: { dash: "9 3 2 3", symbol: "diamond" } },
] as const satisfies readonly {
  readonly label: string;
  readonly of: keyof MeasuredPercentiles;
  readonly look: object;
}[];

interface LoadPanel {
  readonly series: LoadSeries;
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly carried: CarriedLoad | undefined;
}

function pointsOf({ series, id }: LoadPanel, of: keyof MeasuredPercentiles, unit: TimeUnit) {
  return series.points.flatMap(({ rateHz, percentiles }) => {
    const ms = percentiles[of];
    return ms === null ? [] : [{ panel: id, at: rateHz, y: ms * unit.perMs }];
  });
}

function draw(all: readonly LoadPanel[], unit: TimeUnit, widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(all, widthPx, panelHeightPx);
  const curves = all.flatMap((panel) =>
    shown.map(({ of, look }) => ({ look, colour: panel.colour, points: pointsOf(panel, of, unit) })),
  );
  const limits = all.flatMap(({ carried }) => (carried === undefined ? [] : [carried.limitMs * unit.perMs]));
  const ys = [...curves.flatMap(({ points }) => points.map(({ y }) => y)), ...limits];
  const [lowest, highest] = [Math.min(...ys) / 1.3, Math.max(...ys) * 1.3];
  const last = Math.max(...all.flatMap(({ series }) => series.points.map(({ rateHz }) => rateHz)));
  const voided = all.flatMap(({ series, id }) =>
    series.points.filter(({ voidFor }) => voidFor.length > 0).map(({ rateHz }) => ({ panel: id, at: rateHz })),
  );
  const { facet } = layout;
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "linear", domain: [0, last * 1.04] },
    y: { type: "log", domain: [lowest, highest], clamp: true },
    marks: [
      ...valueAxisY({
        label: `response time, ${unit.symbol} (logarithmic)`,
        ticks: axisTicks([lowest, highest], 7).filter((tick) => tick >= lowest && tick <= highest),
      }),
      ...valueAxisX({ label: "arrivals per second", ticks: axisTicks([0, last], 4).filter((tick) => tick >= 0) }),
      layout.names,
      ruleY([...new Set(limits)], { stroke: "var(--ink)", strokeDasharray: "2 3" }),
      ...curves.flatMap(({ points, look, colour }) => [
        line(points, { ...facet, x: "at", y: "y", stroke: colour, strokeWidth: 1.6, strokeDasharray: look.dash }),
        dot(points, { ...facet, x: "at", y: "y", fill: colour, stroke: "var(--paper)", symbol: look.symbol, r: 3.5 }),
      ]),
      text(voided, { ...facet, x: "at", text: () => "void", frameAnchor: "bottom", dy: -6, fill: "var(--quiet)" }),
    ],
  };
}

function figureOf(input: ReportInput, series: readonly LoadSeries[]): readonly Figure[] {
  const [first] = series;
  const isKnown = series.some(({ points }) => points.some(({ percentiles }) => percentiles.p50Ms !== null));
  if (first === undefined || !isKnown) return [];
  const colour = colours(input.analysis);
  const all = series.map((one): LoadPanel => {
    const carried = input.analysis.carriedLoads.find(({ armIds }) =>
      one.points.some(({ armId }) => armIds.includes(armId)),
    );
    return { series: one, id: seriesId(input, one), name: seriesTitle(input, one), colour: colour(one.alone), carried };
  });
  const unit = timeUnitFor(
    series.flatMap(({ points }) => points.flatMap(({ percentiles }) => percentiles.p99Ms ?? [])),
  );
  const tails = all.flatMap(({ series: { points }, name }) => {
    const last = points.findLast(({ percentiles }) => percentiles.p99Ms !== null);
    return last === undefined
      ? []
      : [`${name} ${duration(last.percentiles.p99Ms, unit)} at ${last.rateHz.toLocaleString("en-US")} a second`];
  });
  const limit = all.find(({ carried }) => carried !== undefined)?.carried?.limitMs;
  return [
    {
      name: slug(`percentiles ${first.study} ${first.task}`),
      study: first.study,
      task: first.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(first)}: percentiles of response time over arrivals`,
      alt: `Percentiles of response time in ${unit.symbol} over arrivals a second${tails.length === 0 ? "" : `; p99 at the highest rate that was kept: ${tails.join("; ")}`}.`,
      caption: `From the intended start, over all rounds; a percentile is drawn where at least five calls took longer, and beginning late did not move it.${limit === undefined ? "" : ` Dotted across: the limit of ${number(limit)} ms for p99.`}`,
      legend: shown
        .filter(({ of }) => series.some(({ points }) => points.some(({ percentiles }) => percentiles[of] !== null)))
        .map(({ label, look }) => ({ label, colour: "var(--ink)", look })),
      draw: (widthPx) => draw(all, unit, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "percentiles-by-rate",
  order: 6,
  figures: (input) => loadedTasks(input.analysis.loadSeries).flatMap((series) => figureOf(input, series)),
};
