// The server's load by arrival rate: its processor time and the bytes on its connections.
import { dot, line, ruleY, type PlotOptions } from "@observablehq/plot";
import { chart, ticksFromZero } from "../marks/axes.ts";
import { curveLooks, type CurvePoint } from "../marks/curve.ts";
import { loadPlot, type LoadPanel } from "../marks/load-panels.ts";
import type { VariantLook } from "../marks/palette.ts";
import { taskFigure, type Figure } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { taskLabel } from "../words/arm-label.ts";
import { number } from "../basics/quantity.ts";

const amounts = [
  {
    name: "cpu",
    metric: "serverCpuMsPerTask",
    perSecond: (msPerSecond: number) => msPerSecond / 10,
    title: "processor time of the server",
    label: "% of one processor",
    caption: "Of one processor: the server's process with all its threads. Dotted across: all of one.",
    mark: 100,
  },
  {
    name: "network",
    metric: "wireBytesPerTask",
    perSecond: (bytesPerSecond: number) => bytesPerSecond / 1_000,
    title: "network load of the server",
    label: "kB/s",
    caption: "On the connections to the server, both directions, without headers of TCP and IP.",
    mark: null,
  },
] as const;

type Amount = (typeof amounts)[number];

interface LoadCurve {
  readonly label: string;
  readonly colour: string;
  readonly points: readonly (CurvePoint & { readonly isVoid: boolean })[];
}

function lookOf(curves: readonly LoadCurve[], curve: LoadCurve): VariantLook {
  const alike = curves.filter(({ colour }) => colour === curve.colour);
  return curveLooks[alike.indexOf(curve) % curveLooks.length] as VariantLook;
}

function curvesOf(
  { analysis }: ReportInput,
  shown: readonly LoadPanel[],
  { metric, perSecond }: Amount,
): readonly LoadCurve[] {
  const meanOf = new Map(analysis.summaries.map((row) => [`${row.armId} ${row.metric}`, row.mean]));
  const callsOf = new Map(analysis.arms.map(({ id, callsPerTask }) => [id, callsPerTask]));
  return shown.map(({ series, name, colour }) => ({
    label: name,
    colour,
    points: series.points.flatMap(({ armId, rateHz, voidFor }) => {
      const [perTask, calls] = [meanOf.get(`${armId} ${metric}`), meanOf.get(`${armId} callsPerSecond`)];
      if (perTask === undefined || calls === undefined) return [];
      const y = perSecond((perTask * calls) / (callsOf.get(armId) ?? 1));
      return [{ at: rateHz, y, isVoid: voidFor.length > 0 }];
    }),
  }));
}

function draw(curves: readonly LoadCurve[], { label, mark }: Amount): PlotOptions {
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(...points.map(({ at }) => at));
  const highest = Math.max(...points.map(({ y }) => y), mark ?? 0);
  return chart(
    { height: 260, marginLeft: 70, marginRight: 16, marginBottom: 42 },
    { type: "linear", domain: [0, last * 1.04], label: "arrivals per second", ticks: ticksFromZero(last, 4) },
    { domain: [0, highest * 1.06], label, ticks: ticksFromZero(highest, 5) },
    [
      ruleY(mark === null ? [] : [mark], { stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      ...curves.flatMap((curve) => {
        const { dash, symbol } = lookOf(curves, curve);
        const position = { x: "at", y: "y", stroke: curve.colour } as const;
        const fill = ({ isVoid }: { readonly isVoid: boolean }): string => (isVoid ? "var(--paper)" : curve.colour);
        return [
          line(curve.points, { ...position, strokeWidth: 1.6, strokeDasharray: dash }),
          dot(curve.points, { ...position, fill, symbol: symbol === "none" ? "circle" : symbol, r: 3.5 }),
        ];
      }),
    ],
  );
}

export const plot = loadPlot({
  name: "server-load",
  order: 8,
  figures: (input, shown, first) =>
    amounts.flatMap((amount): readonly Figure[] => {
      const curves = curvesOf(input, shown, amount).filter(({ points }) => points.length > 0);
      if (curves.length === 0) return [];
      const most = curves.map(({ label, points }) => `${label} ${number(Math.max(...points.map(({ y }) => y)))}`);
      const hasVoid = curves.some(({ points }) => points.some(({ isVoid }) => isVoid));
      return [
        taskFigure(`server ${amount.name}`, first, {
          topic: "cost",
          size: "half",
          title: `${taskLabel(first)}: ${amount.title}`,
          alt: `Over arrivals a second, in ${amount.label}; the most: ${most.join(", ")}.`,
          caption: `${amount.caption}${hasVoid ? " Hollow: the generator did not keep this load." : ""}`,
          legend: curves.map((curve) => ({ label: curve.label, colour: curve.colour, look: lookOf(curves, curve) })),
          draw: () => draw(curves, amount),
        }),
      ];
    }),
});
