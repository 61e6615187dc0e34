// The picture of a prediction: curves of the model, dots of a simulation with their intervals, and uprights where something ends.
import { dot, line, ruleX, text } from "@observablehq/plot";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import type { VariantLook } from "../marks/palette.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { number } from "../basics/quantity.ts";
import { axisTicks, scaleKindFor } from "../basics/value-scale.ts";

export interface PredictedPoint {
  readonly x: number;
  readonly y: number;
}

export interface PredictedCurve {
  readonly label: string;
  readonly points: readonly PredictedPoint[];
  /** The figures that were asked for, marked on the curve. */
  readonly asked: readonly PredictedPoint[];
}

export interface SimulatedPoint extends PredictedPoint {
  /** Ends of the 95 % interval; both as `y` where there is none. */
  readonly low: number;
  readonly high: number;
}

export interface PredictionChart {
  /** Letters, digits and dashes: it becomes a file's name. */
  readonly name: string;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly PredictedCurve[];
  readonly simulated: readonly SimulatedPoint[];
  /** Where something ends, such as what servers can carry. */
  readonly uprights: readonly { readonly x: number; readonly label: string }[];
}

const hues = 8;
const dashes = ["none", "7 4", "2 3", "9 3 2 3", "4 2", "1 4"];
const shapes = ["circle", "square", "triangle", "diamond", "star", "cross"] as const;
const simulatedColour = "var(--ink)";
const simulatedLook: VariantLook = { dash: "0 40", symbol: "diamond" };

function entryOf({ label }: PredictedCurve, index: number): LegendEntry {
  return {
    label,
    colour: `var(--hue-${index % hues})`,
    look: { dash: dashes[index % dashes.length] ?? "none", symbol: shapes[index % shapes.length] ?? "circle" },
  };
}

function draw({ curves, simulated, uprights, xLabel, yLabel }: PredictionChart): ReturnType<ShownFigure["draw"]> {
  const all = curves.flatMap(({ points, asked }) => [...points, ...asked]);
  const xs = [...all.map(({ x }) => x), ...uprights.map(({ x }) => x)];
  const ys = [...all.map(({ y }) => y), ...simulated.flatMap(({ y, low, high }) => [y, low, high])];
  const kind = scaleKindFor(ys);
  const [lowest, highest] = [Math.min(...ys), Math.max(...ys)];
  const values = kind === "log" ? ys : [0, ...ys];
  return {
    height: 320,
    marginLeft: 66,
    marginRight: 20,
    marginTop: 12,
    marginBottom: 44,
    x: { type: "linear", domain: [Math.min(0, ...xs), Math.max(...xs) * 1.02 || 1] },
    y: { type: kind, domain: kind === "log" ? [lowest / 1.15, highest * 1.15] : [0, highest * 1.06 || 1] },
    marks: [
      ...valueAxisY({
        label: kind === "log" ? `${yLabel} (logarithmic)` : yLabel,
        ticks: axisTicks(values, 7).filter(
          (tick) => tick >= (kind === "log" ? lowest / 1.15 : 0) && tick <= highest * 1.15,
        ),
      }),
      ...valueAxisX({ label: xLabel, ticks: axisTicks([0, Math.max(...xs)], 8).filter((tick) => tick >= 0) }),
      ruleX(uprights, { x: "x", stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      text(uprights, {
        x: "x",
        frameAnchor: "bottom",
        text: "label",
        textAnchor: "end",
        dx: -5,
        dy: -6,
        fill: "var(--quiet)",
      }),
      ...curves.flatMap((curve, index) => {
        const { colour, look } = entryOf(curve, index);
        const symbol = look.symbol === "none" ? "circle" : look.symbol;
        return [
          line(curve.points, { x: "x", y: "y", stroke: colour, strokeWidth: 2, strokeDasharray: look.dash }),
          dot(curve.asked, { x: "x", y: "y", fill: colour, stroke: "var(--paper)", symbol, r: 4 }),
        ];
      }),
      ...simulated.map(({ x, low, high }) =>
        line(
          [
            { x, y: low },
            { x, y: high },
          ],
          { x: "x", y: "y", stroke: simulatedColour },
        ),
      ),
      dot(simulated, { x: "x", y: "y", fill: simulatedColour, stroke: "var(--paper)", symbol: "diamond", r: 3 }),
    ],
  };
}

/** A figure of its own, that belongs to no run. */
export function predictionFigure(chart: PredictionChart): ShownFigure {
  const ends = chart.curves.flatMap(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [`${label} from ${number(first.y)} at ${number(first.x)} to ${number(last.y)} at ${number(last.x)}`];
  });
  const borders = chart.uprights.map(({ x, label }) => `${label} at ${number(x)}`);
  const simulation =
    chart.simulated.length === 0
      ? []
      : [{ label: "simulated, with 95 % interval", colour: simulatedColour, look: simulatedLook }];
  return {
    name: chart.name,
    study: null,
    task: null,
    topic: "sweep",
    size: "full",
    title: chart.title,
    alt: `${chart.yLabel} over ${chart.xLabel}: ${[...ends, ...borders].join("; ")}.`,
    caption: "Curves: the model. Filled shapes: the figures asked for.",
    legend: [...chart.curves.map(entryOf), ...simulation],
    footnote: "",
    draw: () => draw(chart),
  };
}
