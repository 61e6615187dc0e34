// From how many attributes on a façade pays, a row per stack: for runs with more stacks than readers compare as curves.
import { configurationOf, type BreakEven } from "@roundtrip/analysis";
import { dot, ruleX, ruleY, type PlotOptions } from "@observablehq/plot";
import { number } from "../basics/quantity.ts";
import { inkLegend } from "../marks/curve.ts";
import { styleColours } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { rows } from "../marks/rows.ts";
import { styleRows } from "../marks/style-rows.ts";
import type { ArmView, TaskView } from "../view/run-view.ts";
import { taskLabel } from "../words/arm-label.ts";

const mostCurves = 8;

interface Crossing extends Pick<ArmView, "arm"> {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

const crossingLook = { dash: "none", symbol: "circle" } as const;
const oneLook = { dash: "2 3", symbol: "none" } as const;

function draw(crossings: readonly Crossing[], widthPx: number): PlotOptions {
  const { rows: named, headings } = styleRows(crossings);
  const layout = rows({
    rows: named,
    values: [0, 2, ...crossings.flatMap(({ low, high }) => [low, high])],
    label: "attributes at which façade and chatty reads take the same time",
    widthPx,
    rowHeightPx: 26,
  });
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      ...headings,
      ruleX([1], { stroke: "var(--quiet)", strokeDasharray: oneLook.dash }),
      ruleY(crossings, { y: "id", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
      dot(crossings, { x: "at", y: "id", fill: "colour", stroke: "var(--paper)", r: 5 }),
    ],
  };
}

function crossingsOf(
  { study, task, arms }: TaskView,
  breakEvens: readonly BreakEven[],
): readonly Omit<Crossing, "colour">[] {
  const own = breakEvens.filter((row) => row.study === study && row.task === task && row.against === "chatty");
  return own.flatMap((row) => {
    const found = arms.find(({ arm }) => configurationOf(arm) === configurationOf(row));
    if (row.attributes === null || found === undefined) return [];
    const { arm } = found;
    const [at, low, high] = [row.attributes, row.low ?? row.attributes, row.high ?? row.attributes];
    return [{ arm, id: configurationOf(arm), label: arm.title, at, low, high }];
  });
}

export const plot = taskPlot({
  name: "break-even",
  order: 6,
  figure(task, { analysis }) {
    const colour = styleColours(analysis);
    const crossings = crossingsOf(task, analysis.breakEvens).map((one) => ({ ...one, colour: colour(one.arm) }));
    if (crossings.length <= mostCurves) return null;
    const hasIntervals = crossings.some(({ low, high }) => low < high);
    return taskFigure("break-even", task, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: from how many attributes on a façade pays`,
      alt: `Attributes at which façade and chatty reads take the same time: ${crossings.map(({ label, at }) => `${label} ${number(at)}`).join(", ")}.`,
      caption:
        "Where the lines fitted through façade and chatty cross: right of it, the façade is faster. Bars: 95 % intervals, where they are bounded.",
      legend: inkLegend([
        { label: hasIntervals ? "break-even, and its 95 % interval" : "break-even", look: crossingLook },
        { label: "one attribute: both are one call", look: oneLook },
      ]),
      draw: (widthPx) => draw(crossings, widthPx),
    });
  },
});
