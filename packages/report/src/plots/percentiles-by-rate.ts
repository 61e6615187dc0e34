// Percentiles of response time by arrivals per second: where the tail leaves the median, and where it crosses the limit.
import { ruleY, text, type PlotOptions } from "@observablehq/plot";
import type { CarriedLoad, MeasuredPercentiles } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { chart, ticksFromZero } from "../marks/axes.ts";
import { curveMarks, inkLegend } from "../marks/curve.ts";
import { loadPlot, type LoadPanel } from "../marks/load-panels.ts";
import { panels } from "../marks/panels.ts";
import { taskFigure } from "../marks/plot.ts";
import { duration, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import { axisTicks } from "../basics/value-scale.ts";

const panelHeightPx = 230;

const shown = [
  { label: "p50", of: "p50Ms", look: { dash: "7 4", symbol: "circle" } },
  { label: "p90", of: "p90Ms", look: { dash: "2 3", symbol: "triangle" } },
  { label: "p99", of: "p99Ms", look: { dash: "none", symbol: "square" } },
  { label: "p99.9", of: "p999Ms", look: { dash: "9 3 2 3", symbol: "diamond" } },
] as const;

interface CarriedPanel extends LoadPanel {
  readonly carried: CarriedLoad | undefined;
}

function pointsOf({ series, id }: LoadPanel, of: keyof MeasuredPercentiles, unit: TimeUnit) {
  return series.points.flatMap(({ rateHz, percentiles }) => {
    const ms = percentiles[of];
    return ms === null ? [] : [{ panel: id, at: rateHz, y: ms * unit.perMs }];
  });
}

function draw(all: readonly CarriedPanel[], unit: TimeUnit, widthPx: number): PlotOptions {
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
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
  return chart(
    layout.options,
    { type: "linear", domain: [0, last * 1.04], label: "arrivals per second", ticks: ticksFromZero(last, 4) },
    {
      type: "log",
      domain: [lowest, highest],
      clamp: true,
      label: `response time, ${unit.symbol} (logarithmic)`,
      ticks: axisTicks([lowest, highest], 7).filter((tick) => tick >= lowest && tick <= highest),
    },
    [
      layout.names,
      ruleY([...new Set(limits)], { stroke: "var(--ink)", strokeDasharray: "2 3" }),
      ...curves.flatMap(({ points, look, colour }) =>
        curveMarks(points, { colour, look, strokePx: 1.6, pointPx: 3.5, facet }),
      ),
      text(voided, { ...facet, x: "at", text: () => "void", frameAnchor: "bottom", dy: -6, fill: "var(--quiet)" }),
    ],
  );
}

export const plot = loadPlot({
  name: "percentiles-by-rate",
  order: 6,
  figures({ analysis }, loads, first) {
    const all = loads.map((panel): CarriedPanel => {
      const { points } = panel.series;
      const carried = analysis.carriedLoads.find(({ armIds }) => points.some(({ armId }) => armIds.includes(armId)));
      return { ...panel, carried };
    });
    const every = all.flatMap(({ series }) => series.points.map(({ percentiles }) => percentiles));
    if (every.every(({ p50Ms }) => p50Ms === null)) return [];
    const unit = timeUnitFor(every.flatMap(({ p99Ms }) => p99Ms ?? []));
    const tails = all.flatMap(({ series: { points }, name }) => {
      const last = points.findLast(({ percentiles }) => percentiles.p99Ms !== null);
      return last === undefined
        ? []
        : [`${name} ${duration(last.percentiles.p99Ms, unit)} at ${last.rateHz.toLocaleString("en-US")} a second`];
    });
    const limit = all.find(({ carried }) => carried !== undefined)?.carried?.limitMs;
    return [
      taskFigure("percentiles", first, {
        topic: "sweep",
        size: "full",
        title: `${taskLabel(first)}: percentiles of response time over arrivals`,
        alt: `Percentiles of response time in ${unit.symbol} over arrivals a second${tails.length === 0 ? "" : `; p99 at the highest rate that was kept: ${tails.join("; ")}`}.`,
        caption: `From the intended start, over all rounds; a percentile is drawn where at least five calls took longer, and beginning late did not move it.${limit === undefined ? "" : ` Dotted across: the limit of ${number(limit)} ms for p99.`}`,
        legend: inkLegend(shown.filter(({ of }) => every.some((percentiles) => percentiles[of] !== null))),
        draw: (widthPx) => draw(all, unit, widthPx),
      }),
    ];
  },
});
