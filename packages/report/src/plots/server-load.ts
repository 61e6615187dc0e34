// What arrivals ask of the server: its processor time and the bytes on its connections, which grow with the rate until no more is answered.
import { dot, line, ruleY } from "@observablehq/plot";
import type { LoadSeries, Metric } from "@roundtrip/analysis";
import { loadedTasks } from "../view/loaded-tasks.ts";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { colours } from "../marks/palette.ts";
import type { LegendEntry } from "../marks/legend.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { slug } from "../basics/table.ts";
import { seriesTitle } from "../rows/load-rows.ts";
import { axisTicks } from "../basics/value-scale.ts";
import { taskLabel } from "../words/arm-label.ts";
import { number } from "../basics/quantity.ts";

const heightPx = 260;

/** What is drawn: an amount per task, times tasks a second. */
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
] as const satisfies readonly { readonly metric: Metric; readonly [other: string]: unknown }[];

type Amount = (typeof amounts)[number];

interface Curve {
  readonly title: string;
  readonly colour: string;
  readonly points: readonly { readonly at: number; readonly y: number; readonly isVoid: boolean }[];
}

const looks = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
] as const satisfies readonly LegendEntry["look"][];

/** Series of one colour differ in dash. */
function lookOf(curves: readonly Curve[], curve: Curve): LegendEntry["look"] {
  const alike = curves.filter(({ colour }) => colour === curve.colour);
  return looks[alike.indexOf(curve) % looks.length] ?? looks[0];
}

function curvesOf(input: ReportInput, series: readonly LoadSeries[], { metric, perSecond }: Amount): readonly Curve[] {
  const meanOf = new Map(input.analysis.summaries.map((row) => [`${row.armId} ${row.metric}`, row.mean]));
  const callsOf = new Map(input.analysis.arms.map(({ id, callsPerTask }) => [id, callsPerTask]));
  const colour = colours(input.analysis);
  return series.map((one) => ({
    title: seriesTitle(input, one),
    colour: colour(one.alone),
    points: one.points.flatMap(({ armId, rateHz, voidFor }) => {
      const [perTask, calls] = [meanOf.get(`${armId} ${metric}`), meanOf.get(`${armId} callsPerSecond`)];
      if (perTask === undefined || calls === undefined) return [];
      const y = perSecond((perTask * calls) / (callsOf.get(armId) ?? 1));
      return [{ at: rateHz, y, isVoid: voidFor.length > 0 }];
    }),
  }));
}

function draw(curves: readonly Curve[], { label, mark }: Amount): ReturnType<Figure["draw"]> {
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(...points.map(({ at }) => at));
  const highest = Math.max(...points.map(({ y }) => y), mark ?? 0);
  return {
    height: heightPx,
    marginLeft: 70,
    marginRight: 16,
    marginBottom: 42,
    x: { type: "linear", domain: [0, last * 1.04] },
    y: { domain: [0, highest * 1.06] },
    marks: [
      ...valueAxisY({ label, ticks: axisTicks([0, highest], 5).filter((tick) => tick >= 0) }),
      ...valueAxisX({ label: "arrivals per second", ticks: axisTicks([0, last], 4).filter((tick) => tick >= 0) }),
      ruleY(mark === null ? [] : [mark], { stroke: "var(--quiet)", strokeDasharray: "2 3" }),
      ...curves.flatMap((curve) => {
        const look = lookOf(curves, curve);
        const place = { x: "at", y: "y" } as const;
        return [
          line(curve.points, { ...place, stroke: curve.colour, strokeWidth: 1.6, strokeDasharray: look.dash }),
          dot(curve.points, {
            ...place,
            fill: ({ isVoid }: { readonly isVoid: boolean }) => (isVoid ? "var(--paper)" : curve.colour),
            stroke: curve.colour,
            symbol: look.symbol,
            r: 3.5,
          }),
        ];
      }),
    ],
  };
}

function figuresOf(input: ReportInput, series: readonly LoadSeries[]): readonly Figure[] {
  const [first] = series;
  if (first === undefined) return [];
  return amounts.flatMap((amount): readonly Figure[] => {
    const curves = curvesOf(input, series, amount).filter(({ points }) => points.length > 0);
    if (curves.length === 0) return [];
    const most = curves.map(({ title, points }) => `${title} ${number(Math.max(...points.map(({ y }) => y)))}`);
    return [
      {
        name: slug(`server ${amount.name} ${first.study} ${first.task}`),
        study: first.study,
        task: first.task,
        topic: "cost",
        size: "half",
        title: `${taskLabel(first)}: ${amount.title}`,
        alt: `Over arrivals a second, in ${amount.label}; the most: ${most.join(", ")}.`,
        caption: curves.some(({ points }) => points.some(({ isVoid }) => isVoid))
          ? `${amount.caption} Hollow: the generator did not keep this load.`
          : amount.caption,
        legend: curves.map((curve) => ({ label: curve.title, colour: curve.colour, look: lookOf(curves, curve) })),
        draw: () => draw(curves, amount),
      },
    ];
  });
}

export const plot: Plot = {
  name: "server-load",
  order: 8,
  figures: (input) => loadedTasks(input.analysis.loadSeries).flatMap((series) => figuresOf(input, series)),
};
