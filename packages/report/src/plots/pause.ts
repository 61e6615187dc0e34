// The call after a pause beside the same call at once: the cost of a restarted window, by stack and network.
import { arrow, dot, type PlotOptions } from "@observablehq/plot";
import { pauseCosts, type PauseCost } from "@roundtrip/analysis";
import { studyLabel } from "../words/arm-label.ts";
import { inkLegend } from "../marks/curve.ts";
import { rows } from "../marks/rows.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { pauseLabel } from "../tables/pause.ts";
import { markedTitle } from "../view/unsettled-mark.ts";

const pausedLook: VariantLook = { dash: "none", symbol: "circle" };
const atOnceLook: VariantLook = { dash: "0 99", symbol: "diamond" };

interface Pause extends PauseCost {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
}

function draw(pauses: readonly Pause[], widthPx: number): PlotOptions {
  const { symbol, perMs } = timeUnitFor(pauses.flatMap(({ atOnceMs, afterPauseMs }) => [atOnceMs, afterPauseMs]));
  const arrows = pauses.map((one) => ({ ...one, from: one.atOnceMs * perMs, to: one.afterPauseMs * perMs }));
  const layout = rows({
    rows: arrows,
    // From zero, so that lengths are times.
    values: [0, ...arrows.flatMap(({ from, to }) => [from, to])],
    label: symbol,
    widthPx,
    rowHeightPx: 24,
  });
  const mark = { y: "id", fill: "colour", stroke: "var(--paper)", r: 5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      arrow(arrows, { y1: "id", y2: "id", x1: "from", x2: "to", stroke: "colour", strokeWidth: 2, headLength: 0 }),
      dot(arrows, { ...mark, x: "to", symbol: pausedLook.symbol }),
      dot(arrows, { ...mark, x: "from", symbol: atOnceLook.symbol }),
    ],
  };
}

function figuresOf(study: string, input: ReportInput): readonly Figure[] {
  const colour = colours(input.analysis);
  const pauses = pauseCosts(input.analysis)
    .filter((row) => row.study === study)
    .map((row): Pause => {
      const label = `${markedTitle(input.analysis, row.atOnce)} ${pauseLabel(row)}`;
      return { ...row, id: row.atOnce.id, label, colour: colour(row.atOnce) };
    });
  if (pauses.length === 0) return [];
  const unit = timeUnitFor(pauses.flatMap(({ atOnceMs, afterPauseMs }) => [atOnceMs, afterPauseMs]));
  const ends = pauses.map(
    ({ label, atOnceMs, afterPauseMs }) =>
      `${label} ${duration(atOnceMs, unit)} at once and ${duration(afterPauseMs, unit)} after a pause`,
  );
  return [
    {
      name: slug(`pause ${study}`),
      study,
      task: null,
      topic: "latency",
      size: "full",
      title: `${studyLabel(study)}: what a pause costs the next bulk call`,
      alt: `Latency in ${unit.symbol}: ${ends.join("; ")}.`,
      caption:
        "The stroke between the two is what the pause costs. Restart: slow start after idle, which takes the window of a connection that paused back to ten segments.",
      legend: inkLegend([
        { label: "right after another call: mean", look: atOnceLook },
        { label: "after a pause: mean", look: pausedLook },
      ]),
      draw: (widthPx) => draw(pauses, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "pause",
  order: 6,
  figures: (input) => viewStudies(input).flatMap(({ study }) => figuresOf(study, input)),
};
