// Each arm's mean per round against its own mean over the run: shows drift and outlying rounds.
import { ruleY, type PlotOptions } from "@observablehq/plot";
import { configurationOf } from "@roundtrip/analysis";
import { headlineLabel } from "../words/arm-label.ts";
import { chart } from "../marks/axes.ts";
import { curveMarks, variantLegend, type CurvePoint } from "../marks/curve.ts";
import { panels, type Panel } from "../marks/panels.ts";
import { colours, variantLook } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { TaskView } from "../view/run-view.ts";
import { valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 150;

interface Drift {
  readonly panel: Panel;
  readonly variant: string;
  readonly colour: string;
  /** Deviation from the mean in per cent, by round. */
  readonly rounds: readonly CurvePoint[];
}

function driftsOf(task: TaskView, { analysis }: ReportInput): readonly Drift[] {
  const colour = colours(analysis);
  return task.headline.flatMap(({ arm, distribution }): readonly Drift[] => {
    const means = distribution?.roundMeansMs ?? [];
    if (means.length < 2) return [];
    const all = means.reduce((sum, mean) => sum + mean, 0) / means.length;
    const panel = { id: configurationOf(arm), name: arm.title };
    const rounds = means.map((mean, index) => ({ panel: panel.id, at: index + 1, y: 100 * (mean / all - 1) }));
    return [{ panel, variant: arm.variant, colour: colour(arm), rounds }];
  });
}

function draw(drifts: readonly Drift[], widthPx: number): PlotOptions {
  const all = drifts.map(({ panel }) => panel);
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
  const furthest = Math.max(2, ...drifts.flatMap(({ rounds }) => rounds.map(({ y }) => Math.abs(y)))) * 1.05;
  const last = Math.max(...drifts.map(({ rounds }) => rounds.length));
  const wholeRounds = valueScale([1, last])
    .ticks(6)
    .filter((tick) => Number.isInteger(tick) && tick >= 1);
  return chart(
    { ...layout.options, marginRight: 20 },
    { domain: [1, last], inset: 8, label: "round", ticks: wholeRounds },
    {
      domain: [-furthest, furthest],
      label: "% off its mean",
      ticks: valueScale([-furthest, furthest]).ticks(4),
    },
    [
      layout.names,
      ruleY([0], { stroke: "var(--quiet)" }),
      ...drifts.flatMap(({ variant, colour, rounds }) =>
        curveMarks(rounds, { colour, look: variantLook(variant), strokePx: 1.5, pointPx: 3, facet }),
      ),
    ],
  );
}

export const plot = taskPlot({
  name: "round-drift",
  order: 45,
  figure(task, input) {
    const drifts = driftsOf(task, input);
    if (drifts.length === 0) return null;
    const worst = Math.max(...drifts.flatMap(({ rounds }) => rounds.map(({ y }) => Math.abs(y))));
    const legend = variantLegend(drifts.map(({ variant }) => variant).filter((variant) => variant !== "single"));
    return taskFigure("rounds", task, {
      topic: "rounds",
      size: "full",
      title: `${headlineLabel(task)}: rounds`,
      alt: `Mean latency of each round against the arm's mean: no round is further off than ${worst.toFixed(1)} %.`,
      caption: "How far rounds differ from one another: the intervals rest on this, not on single calls.",
      legend: legend.length < 2 ? [] : legend,
      draw: (widthPx) => draw(drifts, widthPx),
    });
  },
});
