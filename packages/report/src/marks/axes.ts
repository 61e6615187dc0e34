// The house's axes: round ticks, plain labels at the middle, a quiet grid.
import { axisX, axisY, gridX, gridY, type Markish } from "@observablehq/plot";
import { tickLabel } from "../basics/quantity.ts";

interface AxisOptions {
  readonly label: string;
  readonly ticks: readonly number[];
}

const grid = { stroke: "var(--line)", strokeOpacity: 1, strokeWidth: 1 } as const;
const common = { labelArrow: "none", labelAnchor: "center", tickSize: 0 } as const;

/** `text` writes a tick, where its unit is not that of the values. */
export function valueAxisX({ label, ticks }: AxisOptions, text = tickLabel): readonly Markish[] {
  return [gridX(ticks, grid), axisX(ticks, { ...common, text, label, labelOffset: 36 })];
}

export function valueAxisY({ label, ticks }: AxisOptions): readonly Markish[] {
  return [gridY(ticks, grid), axisY(ticks, { ...common, text: tickLabel, label, labelOffset: 58 })];
}
