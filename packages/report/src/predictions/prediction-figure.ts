// The picture of a prediction: curves of the model, dots of a simulation with their intervals, and vertical lines at limits.
import { dot, line, ruleX, text, type PlotOptions } from "@observablehq/plot";
import { chart, ticksFromZero, curveMarks, type CurvePoint } from "../marks/panels.ts";
import type { LegendEntry, VariantLook } from "../marks/palette.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { axisTicks, number, scaleKindFor } from "../basics/quantity.ts";

export interface PredictedCurve {
  readonly label: string;
  readonly points: readonly CurvePoint[];
  /** The requested figures, marked on the curve. */
  readonly asked: readonly CurvePoint[];
}

export interface PredictionChart {
  /** Letters, digits and dashes only, because it becomes a file name. */
  readonly name: string;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly PredictedCurve[];
  /** With the ends of the 95 % interval; both equal `y` without one. */
  readonly simulated: readonly Required<Omit<CurvePoint, "panel">>[];
  /** Vertical lines at limits, such as the servers' capacity. */
  readonly limitLines: readonly { readonly at: number; readonly label: string }[];
}

const hues = 8;
const dashes = ["none", "7 4", "2 3", "9 3 2 3", "4 2", "1 4"];
const shapes = ["circle", "square", "triangle", "diamond", "star", "cross"] as const;
const simulatedColour = "var(--ink)";
const simulatedLook: VariantLook = { dash: "0 40", symbol: "diamond" };

function entryOf({ label }: PredictedCurve, index: number): LegendEntry & { readonly look: VariantLook } {
  return {
    label,
    colour: `var(--hue-${index % hues})`,
    look: { dash: dashes[index % dashes.length] ?? "none", symbol: shapes[index % shapes.length] ?? "circle" },
  };
}

function draw({ curves, simulated, limitLines, xLabel, yLabel }: PredictionChart): PlotOptions {
  const all = curves.flatMap(({ points, asked }) => [...points, ...asked]);
  const xs = [...all.map(({ at }) => at), ...limitLines.map(({ at }) => at)];
  const ys = [...all.map(({ y }) => y), ...simulated.flatMap(({ y, low, high }) => [y, low, high])];
  const kind = scaleKindFor(ys);
  const [lowest, highest] = [kind === "log" ? Math.min(...ys) / 1.15 : 0, Math.max(...ys)];
  const position = { x: "at", y: "y" } as const;
  return chart(
    { height: 320, marginRight: 20, marginTop: 12, marginBottom: 44 },
    {
      type: "linear",
      domain: [Math.min(0, ...xs), Math.max(...xs) * 1.02 || 1],
      label: xLabel,
      ticks: ticksFromZero(Math.max(...xs), 8),
    },
    {
      type: kind,
      domain: kind === "log" ? [lowest, highest * 1.15] : [0, highest * 1.06 || 1],
      label: kind === "log" ? `${yLabel} (logarithmic)` : yLabel,
      ticks: axisTicks(kind === "log" ? ys : [0, ...ys], 7).filter((tick) => tick >= lowest && tick <= highest * 1.15),
    },
    [
      ruleX(limitLines, { x: "at", stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      text(limitLines, {
        x: "at",
        frameAnchor: "bottom",
        text: "label",
        textAnchor: "end",
        dx: -5,
        dy: -6,
        fill: "var(--quiet)",
      }),
      ...curves.flatMap((curve, index) =>
        curveMarks(curve.points, { ...entryOf(curve, index), strokePx: 2, pointPx: 4 }, curve.asked),
      ),
      ...simulated.map(({ at, low, high }) =>
        line(
          [low, high].map((y) => ({ at, y })),
          { ...position, stroke: simulatedColour },
        ),
      ),
      dot(simulated, { ...position, fill: simulatedColour, stroke: "var(--paper)", symbol: "diamond", r: 3 }),
    ],
  );
}

export function predictionFigure(predicted: PredictionChart): ShownFigure {
  const ends = predicted.curves.flatMap(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [`${label} from ${number(first.y)} at ${number(first.at)} to ${number(last.y)} at ${number(last.at)}`];
  });
  const borders = predicted.limitLines.map(({ at, label }) => `${label} at ${number(at)}`);
  const simulation =
    predicted.simulated.length === 0
      ? []
      : [{ label: "simulated, with 95 % interval", colour: simulatedColour, look: simulatedLook }];
  return {
    name: predicted.name,
    study: null,
    task: null,
    topic: "sweep",
    size: "full",
    title: predicted.title,
    alt: `${predicted.yLabel} over ${predicted.xLabel}: ${[...ends, ...borders].join("; ")}.`,
    caption: "Curves: the model. Filled shapes: the figures asked for.",
    legend: [...predicted.curves.map(entryOf), ...simulation],
    footnote: "",
    draw: () => draw(predicted),
  };
}
