// Each arm's mean per round against its own mean over the run: drift, and rounds that went another way, show here.
import { dot, line, ruleY } from "@observablehq/plot";
import { configurationOf } from "@roundtrip/analysis";
import { taskLabel, variantLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels, type Panel } from "../marks/panels.ts";
import { colours, variantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { headlinePart } from "../words/arm-label.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 150;

interface Drift {
  readonly panel: Panel;
  readonly variant: string;
  readonly colour: string;
  readonly rounds: readonly { readonly panel: string; readonly round: number; readonly percent: number }[];
}

function driftsOf(task: TaskView, { analysis }: ReportInput): readonly Drift[] {
  const colour = colours(analysis);
  return task.headline.flatMap(({ arm, distribution }): readonly Drift[] => {
    const means = distribution?.roundMeansMs ?? [];
    if (means.length < 2) return [];
    const all = means.reduce((sum, mean) => sum + mean, 0) / means.length;
    const panel = { id: configurationOf(arm), name: arm.title };
    const rounds = means.map((mean, index) => ({
      panel: panel.id,
      round: index + 1,
      percent: 100 * (mean / all - 1),
    }));
    return [{ panel, variant: arm.variant, colour: colour(arm), rounds }];
  });
}

function draw(drifts: readonly Drift[], widthPx: number): ReturnType<Figure["draw"]> {
  const layout = panels(
    drifts.map(({ panel }) => panel),
    widthPx,
    panelHeightPx,
  );
  const percents = drifts.flatMap(({ rounds }) => rounds.map(({ percent }) => percent));
  const furthest = Math.max(2, ...percents.map(Math.abs)) * 1.05;
  const last = Math.max(...drifts.map(({ rounds }) => rounds.length));
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 20,
    x: { domain: [1, last], inset: 8 },
    y: { domain: [-furthest, furthest] },
    marks: [
      ...valueAxisY({ label: "% off its mean", ticks: valueScale([-furthest, furthest]).ticks(4) }),
      ...valueAxisX({
        label: "round",
        ticks: valueScale([1, last])
          .ticks(6)
          .filter((tick) => Number.isInteger(tick) && tick >= 1),
      }),
      layout.names,
      ruleY([0], { stroke: "var(--quiet)" }),
      ...drifts.flatMap(({ variant, colour, rounds }) => {
        const look = variantLook(variant);
        const place = { ...layout.facet, x: "round", y: "percent" } as const;
        return [
          line(rounds, { ...place, stroke: colour, strokeWidth: 1.5, strokeDasharray: look.dash }),
          dot(rounds, { ...place, fill: colour, stroke: "var(--paper)", symbol: look.symbol, r: 3 }),
        ];
      }),
    ],
  };
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const drifts = driftsOf(task, input);
  if (drifts.length === 0) return [];
  const worst = Math.max(...drifts.flatMap(({ rounds }) => rounds.map(({ percent }) => Math.abs(percent))));
  const variants = [...new Set(drifts.map(({ variant }) => variant))].filter((variant) => variant !== "single");
  const part = headlinePart(task);
  return [
    {
      name: slug(`rounds ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "rounds",
      size: "full",
      title: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: rounds`,
      alt: `Mean latency of each round against the arm's mean: no round is further off than ${worst.toFixed(1)} %.`,
      caption: "How far rounds differ from one another: the intervals rest on this, not on single calls.",
      legend:
        variants.length < 2
          ? []
          : variants.map((variant) => ({
              label: variantLabel(variant),
              colour: "var(--ink)",
              look: variantLook(variant),
            })),
      draw: (widthPx) => draw(drifts, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "round-drift",
  order: 45,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
