// A comparison as one picture: each change with its interval, beside `tolerate` and `detect`.
import { dot, ruleX, ruleY, text } from "@observablehq/plot";
import type { CellState, ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { valueAxisX } from "../marks/panels.ts";
import { rows } from "../marks/rows.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { renderFigure, type RenderedPlot } from "../marks/draw-figure.ts";
import { axisTicks } from "../basics/quantity.ts";
import { affected } from "./verdict-words.ts";
import { armNames, changeRange, changeText, metricLabel, shareText, judgedText } from "./cell-label.ts";
import { stateMarks, stateWords } from "./change-table.ts";

const rowHeightPx = 24;
/** Longer lists are read in the table. */
const mostRows = 40;

const inks: Readonly<Record<CellState, string>> = {
  worse: "var(--hue-1)",
  better: "var(--hue-2)",
  undecided: "var(--quiet)",
  "not-worse": "var(--hue-0)",
};

interface Drawn {
  readonly id: string;
  readonly label: string;
  readonly state: CellState;
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

function percent(ratio: number): number {
  return 100 * (ratio - 1);
}

function drawnOf(comparison: VersionComparison): readonly Drawn[] {
  const { arms, others } = affected(comparison);
  const name = armNames(comparison);
  const drawn = ({ ratio, low, high, metric, state, ...cell }: ComparedCell): Drawn => ({
    id: cell.id,
    label: `${stateMarks[state]} ${name(cell)}, ${metricLabel(metric)}`,
    state,
    change: percent(ratio),
    low: percent(low ?? ratio),
    high: percent(high ?? ratio),
  });
  return [...arms, ...others]
    .flatMap(({ cells }) => cells)
    .slice(0, mostRows)
    .map(drawn);
}

function draw(
  comparison: VersionComparison,
  drawn: readonly Drawn[],
  widthPx: number,
): ReturnType<ShownFigure["draw"]> {
  const { tolerate, detect } = comparison;
  const limits = [
    { at: 100 * tolerate, label: "tolerated" },
    { at: 100 * detect, label: "to be detected" },
  ];
  const values = [...drawn.flatMap(({ low, high }) => [low, high]), 0, 110 * detect, -100 * detect];
  const layout = rows({
    rows: drawn,
    values,
    label: "change in percent: more is worse",
    widthPx,
    rowHeightPx,
  });
  const headPx = 20;
  return {
    ...layout.options,
    height: (layout.options.height ?? 0) + headPx,
    marginTop: (layout.options.marginTop ?? 0) + headPx,
    marks: [
      ...layout.axis,
      ...valueAxisX({ label: "", ticks: axisTicks([0, ...values], 8).filter((tick) => tick < 0) }),
      ruleX(limits, { x: "at", stroke: "var(--quiet)", strokeDasharray: "4 3" }),
      ...limits.map((limit) =>
        text([limit], {
          x: "at",
          text: "label",
          frameAnchor: "top",
          dy: -12,
          dx: limit.label === "tolerated" ? 4 : -4,
          textAnchor: limit.label === "tolerated" ? "end" : "start",
          fill: "var(--quiet)",
        }),
      ),
      ruleY(drawn, { y: "id", x1: "low", x2: "high", stroke: ({ state }: Drawn) => inks[state], strokeWidth: 2 }),
      dot(drawn, { y: "id", x: "change", r: 3.5, fill: ({ state }: Drawn) => inks[state] }),
    ],
  };
}

export function changeFigure(comparison: VersionComparison): readonly ShownFigure[] {
  const drawn = drawnOf(comparison);
  const [first] = comparison.cells;
  if (first === undefined) return [];
  const { arms } = affected(comparison);
  const name = armNames(comparison);
  const changes = arms
    .flatMap(({ cells }) => cells)
    .slice(0, 6)
    .map(
      (cell) =>
        `${name(cell)}, ${metricLabel(cell.metric)} ${changeText(cell.ratio)} (${changeRange(cell.low, cell.high)}, ${stateWords[cell.state]})`,
    );
  return [
    {
      name: "comparison-changes",
      study: null,
      task: null,
      topic: "latency",
      size: "full",
      title: `Change from ${comparison.base.label} to ${comparison.head.label}`,
      alt: changes.length === 0 ? "No metric changed by more than is tolerated." : `${changes.join("; ")}.`,
      caption: [
        `Dot: head over base; line: its 95 % interval, simultaneous; dashes: ${shareText(comparison.tolerate)} tolerated, ${shareText(comparison.detect)} to be detected.`,
        ...(comparison.kind === "side-by-side" ? [`Judged: ${judgedText(comparison)}.`] : []),
      ].join(" "),
      legend: [],
      footnote: "",
      draw: (widthPx) => draw(comparison, drawn, widthPx),
    },
  ];
}

export function renderComparisonPlots(comparison: VersionComparison): readonly RenderedPlot[] {
  return changeFigure(comparison).map(renderFigure);
}
