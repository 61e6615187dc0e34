// Empirical distribution functions: the share of tasks done within a time.
import { line, type PlotOptions } from "@observablehq/plot";
import { configurationOf, type Arm, type Distribution } from "@roundtrip/analysis";
import { headlineLabel, seriesLabel, variantLabel } from "../words/arm-label.ts";
import { chart } from "../marks/axes.ts";
import { inkLegend } from "../marks/curve.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels, type Panel } from "../marks/panels.ts";
import { colours, variantLook } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { axisTicks, scaleKindFor } from "../basics/value-scale.ts";

const panelHeightPx = 240;
const dashes = ["none", "8 3", "2 3", "9 3 2 3", "4 2", "1 4"];

interface Curve {
  readonly panel: Panel;
  readonly colour: string;
  readonly dash: string;
  readonly ecdf: Distribution["ecdf"];
}

function draw(curves: readonly Curve[], widthPx: number): PlotOptions {
  const all = curves.map(({ panel }) => panel);
  const layout = panels(all, widthPx, panelHeightPx);
  const several = new Set(all.map(({ id }) => id)).size > 1;
  const unit = timeUnitFor(curves.map(({ ecdf }) => ecdf[Math.floor(ecdf.length / 2)]?.latencyMs ?? 1));
  const values = curves.flatMap(({ ecdf }) => ecdf.map(({ latencyMs }) => latencyMs * unit.perMs));
  const kind = scaleKindFor(values);
  return chart(
    layout.options,
    {
      type: kind,
      label: `${unit.symbol}${kind === "log" ? " (logarithmic)" : ""}`,
      ticks: axisTicks(values, several || widthPx < 500 ? 3 : 8),
    },
    { domain: [0, 1], label: "share of tasks done", ticks: [0, 0.25, 0.5, 0.75, 1] },
    [
      ...(several ? [layout.names] : []),
      ...curves.map(({ panel, colour, dash, ecdf }) =>
        line(
          ecdf.map(({ latencyMs, fraction }) => ({ panel: panel.id, at: latencyMs * unit.perMs, y: fraction })),
          {
            ...layout.facet,
            x: "at",
            y: "y",
            curve: "step-after",
            stroke: colour,
            strokeWidth: 1.75,
            strokeDasharray: dash,
          },
        ),
      ),
    ],
  );
}

export const plot = taskPlot({
  name: "distribution",
  order: 20,
  figure(task, { analysis }) {
    const colour = colours(analysis);
    const drawn = task.headline.filter(({ distribution }) => (distribution?.ecdf.length ?? 0) > 1);
    if (drawn.length === 0) return null;
    const variants = [...new Set(drawn.filter(({ arm }) => arm.role === "style").map(({ arm }) => arm.variant))];
    // One variant: the stacks share a panel and differ in dash and colour. Several: a panel per stack.
    const together = variants.length <= 1;
    const stacks = [...new Set(drawn.map(({ arm }) => configurationOf(arm)))];
    const dashOf = (arm: Arm): string => dashes[stacks.indexOf(configurationOf(arm)) % dashes.length] ?? "none";
    const shown = together ? drawn : drawn.filter(({ arm }) => arm.role === "style");
    const curves = shown.map(({ arm, distribution }): Curve => ({
      panel: together ? { id: "", name: "" } : { id: configurationOf(arm), name: arm.title },
      colour: colour(arm),
      dash: together ? dashOf(arm) : variantLook(arm.variant).dash,
      ecdf: distribution?.ecdf ?? [],
    }));
    const legend: readonly LegendEntry[] = together
      ? shown.map(({ arm }) => ({
          label: seriesLabel(task, arm),
          colour: colour(arm),
          look: { dash: dashOf(arm), symbol: "none" },
        }))
      : inkLegend(variants.map((one) => ({ label: variantLabel(one), look: { ...variantLook(one), symbol: "none" } })));
    const unit = timeUnitFor(shown.flatMap(({ latency }) => latency?.p50 ?? []));
    const tails = shown.map(({ arm, latency }) => `${seriesLabel(task, arm)} ${duration(latency?.p99, unit)}`);
    return taskFigure("distribution", task, {
      topic: "distribution",
      size: "full",
      title: `${headlineLabel(task)}: distribution of latency`,
      alt: `Empirical distribution functions. 99 % of the tasks were done within, in ${unit.symbol}: ${tails.join(", ")}.`,
      caption: "The share of tasks done within a time: steeper is steadier, further left is faster.",
      legend,
      draw: (widthPx) => draw(curves, widthPx),
    });
  },
});
