// Throughput of bulk data by window size, with the maximum that the window allows.
import type { PlotOptions } from "@observablehq/plot";
import type { Arm, Transfer } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { chart, ticksFromZero } from "../marks/axes.ts";
import { curveMarks, type CurvePoint } from "../marks/curve.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels } from "../marks/panels.ts";
import { colours, type VariantLook } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { number, tickLabel } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import type { TaskView } from "../view/run-view.ts";
import { isUnsettled, markedStackTitle } from "../view/unsettled-mark.ts";

const panelHeightPx = 230;

const windows = [
  ["receiveWindowBytes", "TCP window"],
  ["flowControlWindowBytes", "HTTP/2 window"],
] as const;

/** Megabytes per second at a window. */
interface Point extends CurvePoint {
  /** The maximum that windows, the line and the first round trip allow. */
  readonly atMost: number;
  /** The same with half a window per round trip, the lower bound of HTTP/2; null for TCP. */
  readonly atLeast: number | null;
}

interface Curve extends LegendEntry {
  readonly look: VariantLook;
  readonly points: readonly Point[];
}

const plain = { dash: "none", symbol: "circle" } as const;
const limitLook = { dash: "6 4", symbol: "none" } as const;
const leastLook = { dash: "2 4", symbol: "none" } as const;

function pointOf(arm: Arm, transfer: Transfer | undefined): readonly Point[] {
  const [window] = windows.filter(([factor]) => typeof arm.factors[factor] === "number");
  if (transfer === undefined || window === undefined || arm.factors["windowScaling"] === false) return [];
  const [factor, panel] = window;
  const { bytesPerSecond, bytesMoved, mustBe } = transfer;
  return [
    {
      panel,
      at: Number(arm.factors[factor]),
      y: bytesPerSecond / 1e6,
      atMost: bytesMoved / mustBe.leastMs / 1e3,
      atLeast: factor === "flowControlWindowBytes" ? bytesMoved / mustBe.mostMs / 1e3 : null,
    },
  ];
}

function ascending(points: readonly Point[]): readonly Point[] {
  return points.toSorted((one, other) => one.at - other.at);
}

function curvesOf(task: TaskView, { analysis }: ReportInput): readonly Curve[] {
  const colour = colours(analysis);
  const of = new Map(analysis.transfers.map((transfer) => [transfer.armId, transfer]));
  const groups = Map.groupBy(task.arms, ({ arm }) => JSON.stringify([arm.stack, isUnsettled(analysis, arm)]));
  const measured = [...groups.values()].flatMap((views) => {
    const points = views.flatMap(({ arm }) => pointOf(arm, of.get(arm.id)));
    const [first] = views;
    if (first === undefined || points.length < 2) return [];
    const label = markedStackTitle(analysis, first.arm);
    return [{ label, colour: colour(first.arm), look: plain, points: ascending(points) }];
  });
  const each = new Map(measured.flatMap(({ points }) => points).map((one) => [`${one.panel} ${one.at}`, one]));
  const limits = ascending([...each.values()]);
  const bound = (label: string, look: Curve["look"], valueOf: (point: Point) => number | null): readonly Curve[] => {
    const points = limits.flatMap((one) => {
      const y = valueOf(one);
      return y === null ? [] : [{ ...one, y }];
    });
    return points.length === 0 ? [] : [{ label, colour: "var(--quiet)", look, points }];
  };
  return [
    ...bound("at most", limitLook, ({ atMost }) => atMost),
    ...bound("with half a window", leastLook, ({ atLeast }) => atLeast),
    ...measured,
  ];
}

function draw(curves: readonly Curve[], widthPx: number): PlotOptions {
  const points = curves.flatMap((curve) => curve.points);
  const names = windows.map(([, name]) => name).filter((name) => points.some(({ panel }) => panel === name));
  const all = names.map((name) => ({ id: name, name }));
  const layout = panels(all, widthPx, panelHeightPx);
  const { facet } = layout;
  const highest = Math.max(...points.map(({ y }) => y));
  const sizes = points.map(({ at }) => at);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  return chart(
    layout.options,
    {
      type: "log",
      domain: [low, high],
      inset: 10,
      label: "window, KiB",
      ticks: [65_536, 262_144, 1_048_576, 4_194_304].filter((tick) => tick <= high),
      text: (value) => tickLabel(Math.round(value / 1024)),
    },
    { domain: [0, highest * 1.06], label: "MB per second", ticks: ticksFromZero(highest, 5) },
    [
      layout.names,
      ...curves.flatMap(({ points: own, ...pen }) =>
        names.flatMap((name) => {
          const inPanel = own.filter(({ panel }) => panel === name);
          return curveMarks(inPanel, { ...pen, strokePx: 2, pointPx: 4, facet });
        }),
      ),
    ],
  );
}

export const plot = taskPlot({
  name: "window-curves",
  order: 8,
  figure(task, input) {
    const curves = curvesOf(task, input);
    if (curves.length === 0) return null;
    const ends = curves.map(({ label, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      return `${label} from ${number(first?.y ?? Number.NaN)} to ${number(last?.y ?? Number.NaN)}`;
    });
    return taskFigure("window", task, {
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: what a window lets through`,
      alt: `MB per second from the smallest to the largest window: ${ends.join("; ")}.`,
      caption:
        "At most: what a window in each round trip and the line let through, the first round trip included. Of a window of HTTP/2 half comes back at a time, so the least is that of half a window. Windows of TCP with window scaling.",
      legend: curves,
      draw: (widthPx) => draw(curves, widthPx),
    });
  },
});
