// The picture of trends: a panel per series, with its level, change points and breaks of its environment.
import { dot, line, ruleX, ruleY, text, type Markish } from "@observablehq/plot";
import { listed, type TrendPoint } from "@roundtrip/analysis";
import { valueAxisX, valueAxisY } from "../marks/axes.ts";
import { panels, type Panels } from "../marks/panels.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { axisTicks } from "../basics/value-scale.ts";
import { metricValues, sizeText } from "./trend-tables.ts";
import { revisionLabel, seriesNames, type TrendSeries } from "./trend-series.ts";

const panelHeightPx = 190;
/** Nobody reads more panels. */
export const mostPanels = 24;

const changeColour = "var(--hue-1)";
const levelColour = "var(--ink)";
const pointColour = "var(--hue-0)";
const breakColour = "var(--quiet)";

const besideLabels = 1.4;

interface Position {
  readonly panel: string;
  readonly x: number;
}

interface Drawn {
  readonly panel: string;
  readonly points: readonly (Position & { readonly percent: number; readonly environment: string })[];
  readonly levels: readonly (Position & { readonly percent: number; readonly stretch: string })[];
  readonly changes: readonly (Position & { readonly label: string })[];
  readonly breaks: readonly Position[];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** All series share the positions of runs, so that simultaneous changes align. */
function drawn(one: TrendSeries, panel: string, positions: ReadonlyMap<string, number>): Drawn {
  const { points, stretches, changes, breaks } = one.trend;
  const middle = median(points.map(({ mean }) => mean));
  // A share of 0 is undefined: then differences are absolute.
  const percentOf = (value: number): number => (100 * (value - middle)) / (middle === 0 ? 1 : middle);
  const positionOf = (point: TrendPoint | undefined): number => positions.get(point?.runId ?? "") ?? 0;
  const between = (index: number, lastBefore: number): number =>
    (positionOf(points[index]) + positionOf(points[lastBefore])) / 2;
  return {
    panel,
    points: points.map((point) => ({
      panel,
      x: positionOf(point),
      percent: percentOf(point.mean),
      environment: JSON.stringify(point.environment),
    })),
    levels: stretches.flatMap(({ indices, level }, stretch) =>
      [indices[0], indices.at(-1)].map((index) => ({
        panel,
        x: positionOf(points[index ?? 0]),
        percent: percentOf(level),
        stretch: String(stretch),
      })),
    ),
    changes: changes.map((change) => ({
      panel,
      x: between(change.index, change.lastBefore),
      label: `${sizeText(change)}\n${revisionLabel(points[change.index]?.revision ?? "")}`,
    })),
    breaks: breaks.map(({ index }) => ({ panel, x: between(index, index - 1) })),
  };
}

function changeLabels(changes: Drawn["changes"], runs: number, facet: Panels["facet"]): readonly Markish[] {
  return (["start", "end"] as const).map((textAnchor) =>
    text(
      changes.filter(({ x }) => x > runs / 2 === (textAnchor === "end")),
      {
        ...facet,
        x: "x",
        text: "label",
        textAnchor,
        frameAnchor: "top",
        lineAnchor: "top",
        dx: textAnchor === "end" ? -5 : 5,
        dy: 3,
        fill: changeColour,
        stroke: "var(--paper)",
        strokeWidth: 3,
      },
    ),
  );
}

function draw(series: readonly Drawn[], runs: number, widthPx: number): ReturnType<ShownFigure["draw"]> {
  const each = series.map(({ panel }) => ({ id: panel, name: panel }));
  const layout = panels(each, widthPx, panelHeightPx);
  const { facet } = layout;
  const all = series.flatMap(({ points, levels }) => [...points, ...levels].map(({ percent }) => percent));
  const reach = Math.max(1, ...all.map(Math.abs)) * 1.15;
  const points = series.flatMap((one) => one.points);
  const levels = series.flatMap((one) => one.levels);
  const changes = series.flatMap((one) => one.changes);
  return {
    ...layout.options,
    marginLeft: 66,
    marginRight: 24,
    x: { type: "linear", domain: [0.5, runs + 0.5] },
    y: { type: "linear", domain: [-reach, reach * besideLabels] },
    marks: [
      ...valueAxisY({
        label: "% from the median",
        ticks: axisTicks([-reach, reach], 5).filter((tick) => Math.abs(tick) <= reach),
      }),
      ...valueAxisX({
        label: "run",
        ticks: axisTicks([0, runs], 4).filter((tick) => Number.isInteger(tick) && tick >= 1 && tick <= runs),
      }),
      ruleY([0], { stroke: "var(--line)" }),
      ruleX(
        series.flatMap(({ breaks }) => breaks),
        { ...facet, x: "x", stroke: breakColour, strokeDasharray: "2 3" },
      ),
      ruleX(changes, { ...facet, x: "x", stroke: changeColour, strokeWidth: 1.5 }),
      ...changeLabels(changes, runs, facet),
      dot(points, { ...facet, x: "x", y: "percent", r: 2.2, fill: pointColour }),
      line(levels, {
        ...facet,
        x: "x",
        y: "percent",
        z: (one: Drawn["levels"][number]) => `${one.panel} ${one.stretch}`,
        stroke: levelColour,
        strokeWidth: 1.5,
      }),
      layout.names,
    ],
  };
}

function wordsOf(one: TrendSeries, name: string): string {
  const { points, changes } = one.trend;
  const last = metricValues(one.metric, points.at(-1)?.mean ?? Number.NaN);
  const found = changes.map(
    (change) => `${sizeText(change)} at ${revisionLabel(points[change.index]?.revision ?? "")}`,
  );
  return `${name} is at ${last}, ${found.length === 0 ? "without a change" : `changed by ${listed(found)}`}`;
}

/** Draws trends as a figure: those with changes first, at most {@link mostPanels}. */
export function trendFigure(series: readonly TrendSeries[], runIds: readonly string[], title: string): ShownFigure {
  const name = seriesNames(series);
  const shown = series
    .toSorted((one, other) => Number(other.trend.changes.length > 0) - Number(one.trend.changes.length > 0))
    .slice(0, mostPanels);
  const positions = new Map(runIds.map((id, index) => [id, index + 1]));
  const parts = shown.map((one) => drawn(one, name(one), positions));
  return {
    name: "trend",
    study: null,
    task: null,
    topic: "sweep",
    size: "full",
    title,
    alt: `${shown.map((one) => wordsOf(one, name(one))).join("; ")}.`,
    caption:
      "Dots: means of runs. Lines: levels between changes. Uprights: change points, and dashed where the environment became another.",
    legend: [
      { label: "mean of a run", colour: pointColour, look: { dash: "0 40", symbol: "circle" } },
      { label: "level", colour: levelColour, look: { dash: "none", symbol: "none" } },
      { label: "change point", colour: changeColour, look: { dash: "none", symbol: "none" } },
      { label: "other environment", colour: breakColour, look: { dash: "2 3", symbol: "none" } },
    ],
    footnote: "",
    draw: (widthPx) => draw(parts, runIds.length, widthPx),
  };
}
