// What a window lets through: bytes per second of bulk data over the window that a receiver gives, with what it can at most.
import { dot, line } from "@observablehq/plot";
import type { Arm, Transfer } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import type { LegendEntry } from "../marks/legend.ts";
import { panels } from "../marks/panels.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { number, tickLabel } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";
import { isUnsettled, markedStackTitle } from "../view/unsettled-mark.ts";
import { valueScale } from "../basics/value-scale.ts";

const panelHeightPx = 230;

/** The factors that are windows, and whose they are. */
const windows = [
  ["receiveWindowBytes", "TCP window"],
  ["flowControlWindowBytes", "HTTP/2 window"],
] as const;

interface Point {
  readonly panel: string;
  readonly windowBytes: number;
  readonly megabytes: number;
  /** What windows, the line and the first round trip let through. */
  readonly atMost: number;
  /** The same with half a window in each round trip, which HTTP/2 may come to; null for TCP. */
  readonly atLeast: number | null;
}

interface Curve extends LegendEntry {
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
      windowBytes: Number(arm.factors[factor]),
      megabytes: bytesPerSecond / 1e6,
      atMost: bytesMoved / mustBe.leastMs / 1e3,
      atLeast: factor === "flowControlWindowBytes" ? bytesMoved / mustBe.mostMs / 1e3 : null,
    },
  ];
}

function curvesOf(task: TaskView, { analysis }: ReportInput): readonly Curve[] {
  const colour = colours(analysis);
  const of = new Map(analysis.transfers.map((transfer) => [transfer.armId, transfer]));
  const groups = Map.groupBy(task.arms, ({ arm }) => JSON.stringify([arm.stack, isUnsettled(analysis, arm)]));
  const measured = [...groups.values()].flatMap((views) => {
    const points = views.flatMap(({ arm }) => pointOf(arm, of.get(arm.id)));
    const [first] = views;
    if (first === undefined || points.length < 2) return [];
    const ascending = points.toSorted((one, other) => one.windowBytes - other.windowBytes);
    return [
      { label: markedStackTitle(analysis, first.arm), colour: colour(first.arm), look: plain, points: ascending },
    ];
  });
  const limits = [
    ...new Map(
      measured.flatMap(({ points }) => points).map((one) => [`${one.panel} ${one.windowBytes}`, one]),
    ).values(),
  ];
  const bound = (label: string, look: Curve["look"], valueOf: (point: Point) => number | null): readonly Curve[] => {
    const points = limits
      .toSorted((one, other) => one.windowBytes - other.windowBytes)
      .flatMap((one) => {
        const megabytes = valueOf(one);
        return megabytes === null ? [] : [{ ...one, megabytes }];
      });
    return points.length === 0 ? [] : [{ label, colour: "var(--quiet)", look, points }];
  };
  return [
    ...bound("at most", limitLook, ({ atMost }) => atMost),
    ...bound("with half a window", leastLook, ({ atLeast }) => atLeast),
    ...measured,
  ];
}

function draw(curves: readonly Curve[], widthPx: number): ReturnType<Figure["draw"]> {
  const points = curves.flatMap((curve) => curve.points);
  const names = windows.map(([, name]) => name).filter((name) => points.some(({ panel }) => panel === name));
  const layout = panels(
    names.map((name) => ({ id: name, name })),
    widthPx,
    panelHeightPx,
  );
  const highest = Math.max(...points.map(({ megabytes }) => megabytes));
  const sizes = points.map(({ windowBytes }) => windowBytes);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 28,
    x: { type: "log", domain: [low, high], inset: 10 },
    y: { domain: [0, highest * 1.06] },
    marks: [
      ...valueAxisY({
        label: "MB per second",
        ticks: valueScale([0, highest])
          .ticks(5)
          .filter((tick) => tick >= 0),
      }),
      ...valueAxisX(
        { label: "window, KiB", ticks: [65_536, 262_144, 1_048_576, 4_194_304].filter((tick) => tick <= high) },
        (value) => tickLabel(Math.round(value / 1024)),
      ),
      layout.names,
      ...curves.flatMap(({ colour, look, points: placed }) => {
        const facet = { ...layout.facet, x: "windowBytes", y: "megabytes" } as const;
        return [
          ...names.map((name) =>
            line(
              placed.filter(({ panel }) => panel === name),
              { ...facet, stroke: colour, strokeWidth: 2, strokeDasharray: look.dash },
            ),
          ),
          ...(look.symbol === "none" ? [] : [dot(placed, { ...facet, fill: colour, stroke: "var(--paper)", r: 4 })]),
        ];
      }),
    ],
  };
}

function figure(task: TaskView, input: ReportInput): readonly Figure[] {
  const curves = curvesOf(task, input);
  if (curves.length === 0) return [];
  const ends = curves.map(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return `${label} from ${number(first?.megabytes ?? Number.NaN)} to ${number(last?.megabytes ?? Number.NaN)}`;
  });
  return [
    {
      name: slug(`window ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "sweep",
      size: "full",
      title: `${taskLabel(task)}: what a window lets through`,
      alt: `MB per second from the smallest to the largest window: ${ends.join("; ")}.`,
      caption:
        "At most: what a window in each round trip and the line let through, the first round trip included. Of a window of HTTP/2 half comes back at a time, so the least is that of half a window. Windows of TCP with window scaling.",
      legend: curves,
      draw: (widthPx) => draw(curves, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "window-curves",
  order: 8,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
