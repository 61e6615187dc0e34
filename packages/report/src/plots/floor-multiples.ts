// The latency of each arm as a multiple of the floor: the cost of a style beyond moving bytes between the same two processes.
import { dot, ruleX, ruleY, tickX, type PlotOptions } from "@observablehq/plot";
import type { Arm } from "@roundtrip/runs";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { inkLegend } from "../marks/panels.ts";
import { colours, variantLooks, type LegendEntry } from "../marks/palette.ts";
import { rows, styleRows } from "../marks/rows.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import type { ArmView } from "../view/run-view.ts";
import { fewRoundsNote } from "../words/ratio-text.ts";
import { multiple } from "../basics/quantity.ts";

interface Multiple {
  readonly id: string;
  readonly label: string;
  readonly arm: Arm;
  readonly colour: string;
  readonly variant: string;
  /** Of the arm whose server has no library, if this one's style has one. */
  readonly bound: number | undefined;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

function draw(arms: readonly Multiple[], widthPx: number): PlotOptions {
  const { rows: named, headings } = styleRows(arms);
  const layout = rows({
    rows: named,
    values: [1, ...arms.flatMap(({ low, high }) => [low, high])],
    label: "times the floor",
    widthPx,
    rowHeightPx: 26,
  });
  const lookOf = variantLooks(arms.map(({ variant }) => variant));
  const mark = { x: "ratio", y: "id", stroke: "var(--paper)", r: 5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      ...headings,
      ruleX([1], { stroke: "var(--floor)", strokeWidth: 2 }),
      tickX(
        arms.filter(({ bound }) => bound !== undefined),
        { x: "bound", y: "id", stroke: "colour", strokeWidth: 1.5, strokeDasharray: "2 2" },
      ),
      ruleY(arms, { y: "id", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
      ...arms.map((arm) => dot([arm], { ...mark, fill: arm.colour, symbol: lookOf(arm.variant).symbol })),
    ],
  };
}

const multipleKey = { label: "mean, and its 95 % interval", look: { dash: "none", symbol: "circle" } } as const;
const boundKey = {
  label: "bound: the style's server without a library, called by the same client",
  look: { dash: "2 2", symbol: "none" },
} as const;
const floorKey: LegendEntry = {
  label: "floor: a TCP echo",
  colour: "var(--floor)",
  look: { dash: "none", symbol: "none" },
};

/** The multiple of a server without a library, called by the same client in the same variant. */
function boundOf(arms: readonly ArmView[], { style, client, variant }: Arm): number | undefined {
  const bound = arms.find(
    ({ arm }) =>
      arm.style === style &&
      arm.client === client &&
      arm.variant === variant &&
      arm.bounds?.includes("server") === true,
  );
  return bound?.floor?.ratio;
}

export const plot = taskPlot({
  name: "floor-multiples",
  order: 40,
  figure(task, { analysis }) {
    const colour = colours(analysis);
    const arms = task.headline.flatMap(({ arm, floor }): readonly Multiple[] => {
      if (floor === null) return [];
      const { ratio, low, high } = floor;
      const about = { arm, id: arm.id, label: armLabel(task, arm, task.headline), variant: arm.variant };
      const bound = boundOf(task.headline, arm);
      return [{ ...about, bound, colour: colour(arm), ratio, low: low ?? ratio, high: high ?? ratio }];
    });
    if (arms.length === 0) return null;
    const hasBound = arms.some(({ bound }) => bound !== undefined);
    const marked = hasBound
      ? " Dashed: the bound of the style's servers, one without a library, called by the same client."
      : "";
    const note = fewRoundsNote(task.headline.flatMap(({ floor }) => floor ?? []));
    return taskFigure("floor", task, {
      topic: "cost",
      size: "half",
      title: `${headlineLabel(task)}: multiples of the floor`,
      alt: `Latency as a multiple of a raw TCP echo: ${arms.map(({ label, ratio }) => `${label} ${multiple(ratio)}`).join(", ")}.`,
      caption:
        `The upright line at 1 is a raw TCP echo of the bare messages (as protobuf, without the headers of a protocol), called the same way. Bars: 95 % intervals, where they are wider than the mark.${marked} ${note}`.trimEnd(),
      legend: [...inkLegend([multipleKey, ...(hasBound ? [boundKey] : [])]), floorKey],
      draw: (widthPx) => draw(arms, widthPx),
    });
  },
});
