// Axes in the house style: round ticks, centred labels, a quiet grid.
import { axisX, axisY, gridX, gridY, type Markish, type PlotOptions, type ScaleOptions } from "@observablehq/plot";
import { tickLabel } from "../basics/quantity.ts";
import { axisTicks } from "../basics/value-scale.ts";

interface AxisOptions {
  readonly label: string;
  readonly ticks: readonly number[];
  /** Formats a tick whose unit differs from the values'. */
  readonly text?: (value: number) => string;
}

const grid = { stroke: "var(--line)", strokeOpacity: 1, strokeWidth: 1 } as const;
const common = { labelArrow: "none", labelAnchor: "center", tickSize: 0 } as const;

export function valueAxisX({ label, ticks, text = tickLabel }: AxisOptions): readonly Markish[] {
  return [gridX(ticks, grid), axisX(ticks, { ...common, text, label, labelOffset: 36 })];
}

function valueAxisY({ label, ticks }: AxisOptions): readonly Markish[] {
  return [gridY(ticks, grid), axisY(ticks, { ...common, text: tickLabel, label, labelOffset: 58 })];
}

/** At most `count` round numbers from 0 to `highest`. */
export function ticksFromZero(highest: number, count: number): readonly number[] {
  return axisTicks([0, highest], count).filter((tick) => tick >= 0);
}

type ChartAxis = AxisOptions & Pick<ScaleOptions, "type" | "domain" | "inset" | "clamp">;

export function chart(layout: PlotOptions, x: ChartAxis, y: ChartAxis, marks: readonly Markish[]): PlotOptions {
  const scale = ({ label: _label, ticks: _ticks, text: _text, ...options }: ChartAxis): ScaleOptions => options;
  return {
    marginLeft: 66,
    marginRight: 28,
    ...layout,
    x: scale(x),
    y: scale(y),
    marks: [...valueAxisY(y), ...valueAxisX(x), ...marks],
  };
}
