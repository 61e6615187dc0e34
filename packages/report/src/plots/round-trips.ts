// Round trips per call, measured and predicted: the slopes of latency over distance, beside those of published series.
import { barX, dot, ruleY, tickX, type PlotOptions } from "@observablehq/plot";
import { predictedText } from "@roundtrip/analysis";
import { inkLegend } from "../marks/curve.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { rows } from "../marks/rows.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type StudyView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { namedRoundTrips, publishedRoundTrips } from "../tables/round-trips.ts";
import { studyLabel } from "../words/arm-label.ts";

const measuredLook: VariantLook = { dash: "none", symbol: "circle" };
const mustLook: VariantLook = { dash: "0 99", symbol: "square" };
const publishedLook: VariantLook = { dash: "0 99", symbol: "cross" };

interface Slope {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly perCall: number;
  readonly low: number;
  readonly high: number;
  /** Predicted bounds; null for published figures. */
  readonly must: { readonly least: number; readonly most: number; readonly text: string } | null;
}

function slopesOf({ study, published }: StudyView, { analysis }: ReportInput): readonly Slope[] {
  const colour = colours(analysis);
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  const measured = namedRoundTrips(analysis, study).flatMap(({ row, name, connection }): readonly Slope[] => {
    const arm = arms.get(row.armIds[0] ?? "");
    if (arm === undefined) return [];
    const { perCall, low, high, predicted, predictedMost } = row;
    const must = { least: predicted, most: predictedMost, text: predictedText(row) };
    const label = `${name}, ${connection}`;
    const id = row.isFirstCall ? `${arm.id}, first call` : arm.id;
    return [{ id, label, colour: colour(arm), perCall, low: low ?? perCall, high: high ?? perCall, must }];
  });
  const beside = publishedRoundTrips(published).map(({ label, perCall }): Slope => ({
    id: label,
    label,
    colour: "var(--source)",
    perCall,
    low: perCall,
    high: perCall,
    must: null,
  }));
  return measured.length === 0 ? [] : [...measured, ...beside];
}

function draw(slopes: readonly Slope[], widthPx: number): PlotOptions {
  const layout = rows({
    rows: slopes,
    // From zero, so that lengths are round trips.
    values: [0, ...slopes.flatMap(({ low, high, must }) => [low, high, must?.most ?? 0])],
    label: "round trips per call",
    widthPx,
    rowHeightPx: 20,
  });
  const known = slopes.flatMap(({ id, must }) => (must === null ? [] : [{ id, ...must }]));
  const mark = { y: "id", x: "perCall", fill: "colour", stroke: "var(--paper)", r: 4 } as const;
  const inset = { y: "id", insetTop: 3, insetBottom: 3 } as const;
  const [measured, beside] = [slopes.filter(({ must }) => must !== null), slopes.filter(({ must }) => must === null)];
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      barX(known, { ...inset, x1: "least", x2: "most", fill: "var(--ink)", fillOpacity: 0.14 }),
      tickX(known, { ...inset, x: "least", stroke: "var(--ink)", strokeWidth: 2 }),
      tickX(known, { ...inset, x: "most", stroke: "var(--ink)", strokeWidth: 2 }),
      ruleY(slopes, { y: "id", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
      dot(measured, { ...mark, symbol: measuredLook.symbol }),
      dot(beside, { ...mark, symbol: publishedLook.symbol }),
    ],
  };
}

function figuresOf(view: StudyView, input: ReportInput): readonly Figure[] {
  const slopes = slopesOf(view, input);
  if (slopes.length === 0) return [];
  const hasPublished = slopes.some(({ must }) => must === null);
  const words = slopes.map(
    ({ label, perCall, must }) =>
      `${label} ${perCall.toFixed(2)}${must === null ? "" : ` where ${must.text} is predicted`}`,
  );
  const legend: readonly LegendEntry[] = [
    ...inkLegend([
      { label: "measured, with its 95 % interval", look: measuredLook },
      { label: "predicted", look: mustLook },
    ]),
    ...(hasPublished ? [{ label: "published", colour: "var(--source)", look: publishedLook }] : []),
  ];
  return [
    {
      name: slug(`round trips ${view.study}`),
      study: view.study,
      task: null,
      topic: "sweep",
      size: "full",
      title: `${studyLabel(view.study)}: round trips per call`,
      alt: `Slopes of latency over round-trip time: ${words.join("; ")}.`,
      caption:
        "Slope of latency against the measured round-trip time. Upright strokes: what TCP, TLS, slow start, windows and the line must take; between two where a window of HTTP/2 limits.",
      legend,
      draw: (widthPx) => draw(slopes, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "round-trips",
  order: 3,
  figures: (input) => viewStudies(input).flatMap((view) => figuresOf(view, input)),
};
