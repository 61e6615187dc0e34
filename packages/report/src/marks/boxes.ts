// Box plots on one axis: whiskers, median and outliers of each box, around bars that depend on the picture.
import { dot, ruleY, tickX, type Markish, type PlotOptions } from "@observablehq/plot";
import type { Summary } from "@roundtrip/analysis";
import { timeUnitFor } from "../basics/quantity.ts";
import { rows } from "./rows.ts";

export interface Box {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly figures: Pick<Summary, "min" | "whiskerLow" | "p25" | "p50" | "p75" | "whiskerHigh" | "max">;
  /** In milliseconds. */
  readonly outliers: readonly number[];
}

interface BoxOptions<B extends Box> {
  readonly widthPx: number;
  readonly rowHeightPx: number;
  /** Space of a row above and below the ends of whiskers. */
  readonly whiskerInsetPx: number;
  readonly bars: (box: B, perMs: number) => readonly Markish[];
}

export function boxChart<B extends Box>(
  boxes: readonly B[],
  { widthPx, rowHeightPx, whiskerInsetPx, bars }: BoxOptions<B>,
): PlotOptions {
  const { symbol, perMs } = timeUnitFor(boxes.map(({ figures }) => figures.p50));
  const at =
    (figure: "whiskerLow" | "whiskerHigh" | "p50") =>
    ({ figures }: B): number =>
      figures[figure] * perMs;
  const layout = rows({
    rows: boxes,
    values: boxes.flatMap(({ figures }) => [figures.min * perMs, figures.max * perMs]),
    label: `${symbol} per task`,
    widthPx,
    rowHeightPx,
  });
  const outliers = boxes.flatMap(({ id, colour, outliers: ms }) =>
    ms.map((one) => ({ id, colour, value: one * perMs })),
  );
  const stroke = { y: "id", stroke: "colour", strokeWidth: 1.5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      dot(outliers, { x: "value", y: "id", r: 1.7, stroke: "colour", strokeOpacity: 0.75, strokeWidth: 1 }),
      ruleY(boxes, { ...stroke, x1: at("whiskerLow"), x2: at("whiskerHigh") }),
      ...boxes.flatMap((box) => bars(box, perMs)),
      ...(["whiskerLow", "whiskerHigh"] as const).map((end) =>
        tickX(boxes, { ...stroke, x: at(end), inset: whiskerInsetPx }),
      ),
      tickX(boxes, { y: "id", x: at("p50"), stroke: "var(--paper)", strokeWidth: 2.5, inset: 5 }),
    ],
  };
}
