// Empirical distribution functions: which share of the tasks was done within which time. Nothing is smoothed away.
import { line } from "@observablehq/plot";
import { configurationOf, type Arm, type Distribution } from "@roundtrip/analysis";
import { seriesLabel, taskLabel, variantLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels, type Panel } from "../marks/panels.ts";
import { colours, variantLook, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { headlinePart } from "../words/arm-label.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { axisTicks, scaleKindFor } from "../basics/value-scale.ts";

const panelHeightPx = 240;
const solid: VariantLook = { dash: "none", symbol: "circle" };

interface Curve {
  readonly panel: Panel;
  readonly colour: string;
  readonly dash: string;
  readonly ecdf: Distribution["ecdf"];
}

function draw(curves: readonly Curve[], widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(
    curves.map(({ panel }) => panel),
    widthPx,
    panelHeightPx,
  );
  const several = new Set(curves.map(({ panel }) => panel.id)).size > 1;
  const unit = timeUnitFor(curves.map(({ ecdf }) => ecdf[Math.floor(ecdf.length / 2)]?.latencyMs ?? 1));
  const values = curves.flatMap(({ ecdf }) => ecdf.map(({ latencyMs }) => latencyMs * unit.perMs));
  const kind = scaleKindFor(values);
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: kind },
    y: { domain: [0, 1] },
    marks: [
      ...valueAxisY({ label: "share of tasks done", ticks: [0, 0.25, 0.5, 0.75, 1] }),
      ...valueAxisX({
        label: `${unit.symbol}${kind === "log" ? " (logarithmic)" : ""}`,
        ticks: axisTicks(values, several || widthPx < 500 ? 3 : 8),
      }),
      ...(several ? [layout.names] : []),
      ...curves.map(({ panel, colour, dash, ecdf }) =>
        line(
          ecdf.map(({ latencyMs, fraction }) => ({ panel: panel.id, at: latencyMs * unit.perMs, fraction })),
          {
            ...layout.facet,
            x: "at",
            y: "fraction",
            curve: "step-after",
            stroke: colour,
            strokeWidth: 1.75,
            strokeDasharray: dash,
          },
        ),
      ),
    ],
  };
}

function figure(task: TaskView, { analysis }: ReportInput): readonly Figure[] {
  const colour = colours(analysis);
  const drawn = task.headline.filter(({ distribution }) => (distribution?.ecdf.length ?? 0) > 1);
  if (drawn.length === 0) return [];
  const variants = [...new Set(drawn.filter(({ arm }) => arm.role === "style").map(({ arm }) => arm.variant))];
  // One variant: the stacks share a panel and differ in dash and colour. Several: a panel per stack.
  const together = variants.length <= 1;
  const stacks = [...new Set(drawn.map(({ arm }) => configurationOf(arm)))];
  const dashes: readonly string[] = ["none", "8 3", "2 3", "9 3 2 3", "4 2", "1 4"];
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
        look: { ...solid, dash: dashOf(arm), symbol: "none" },
      }))
    : variants.map((variant) => ({
        label: variantLabel(variant),
        colour: "var(--ink)",
        look: { ...variantLook(variant), symbol: "none" },
      }));
  const unit = timeUnitFor(shown.flatMap(({ latency }) => latency?.p50 ?? []));
  const tails = shown.map(({ arm, latency }) => `${seriesLabel(task, arm)} ${duration(latency?.p99, unit)}`);
  const part = headlinePart(task);
  return [
    {
      name: slug(`distribution ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "distribution",
      size: "full",
      title: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: distribution of latency`,
      alt: `Empirical distribution functions. 99 % of the tasks were done within, in ${unit.symbol}: ${tails.join(", ")}.`,
      caption: "The share of tasks done within a time: steeper is steadier, further left is faster.",
      legend,
      draw: (widthPx) => draw(curves, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "distribution",
  order: 20,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
