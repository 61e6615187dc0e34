// Rows of a plot: one for each arm, grouped by style.
import { styleTitles } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { axisY, type Markish, type PlotOptions, ruleX, text } from "@observablehq/plot";
import { axisTicks, scaleKindFor } from "../basics/quantity.ts";
import { valueAxisX } from "./panels.ts";
import { brokenLines } from "./palette.ts";

interface ArmRow {
  readonly id: string;
  readonly label: string;
}

interface StyleRows {
  /** The given rows, and an empty one for each heading. */
  readonly rows: readonly ArmRow[];
  readonly headings: readonly Markish[];
}

/** The label of an arm below the heading of its style: server, client, and what follows the stack's title. */
function libraryLabel({ server, client, stackTitle }: Arm, label: string): string {
  if (!label.startsWith(stackTitle)) return label;
  const named = / \((.*)\)$/.exec(stackTitle)?.[1] ?? server;
  return (named === server ? `${server}, ${client}` : named) + label.slice(stackTitle.length);
}

/** @param arms in the order of the picture: by style */
export function styleRows(arms: readonly (ArmRow & { readonly arm: Arm })[]): StyleRows {
  const librariesOf = Map.groupBy(arms, ({ arm }) => arm.style);
  const isGrouped = [...librariesOf.values()].some(
    (ofStyle) => new Set(ofStyle.map(({ arm }) => `${arm.server} ${arm.client}`)).size > 1,
  );
  if (!isGrouped) return { rows: arms, headings: [] };

  const titleOf = styleTitles(arms.map(({ arm }) => arm));
  const headed = [...librariesOf].flatMap(([style, ofStyle]) => {
    if (ofStyle[0]?.arm.role !== "style") return ofStyle.map(({ id, label }) => ({ id, label, heading: "" }));
    return [
      { id: `heading/${style}`, label: "", heading: titleOf(style) },
      ...ofStyle.map(({ id, label, arm }) => ({ id, label: libraryLabel(arm, label), heading: "" })),
    ];
  });
  const position = { y: "id", frameAnchor: "left", textAnchor: "end", dx: -9 } as const;
  return {
    rows: headed,
    headings: [
      text(
        headed.filter(({ heading }) => heading !== ""),
        { ...position, text: "heading", fontWeight: 600 },
      ),
    ],
  };
}

// A generous mean width of a 12 px letter: fonts cannot be measured here.
const letterWidthPx = 6.8;
const fontPx = 12;
const lineHeightPx = 13;
/** Letters are wider than the em used to break lines. */
const letterShare = 0.88;
const phonePx = 500;

/** Maximum share of the width for names. Longer names wrap between words. */
const mostForNames = 0.45;
const mostForWords = 0.68;
const besideNamesPx = 14;

export interface Rows {
  readonly options: Pick<
    PlotOptions,
    "height" | "marginLeft" | "marginRight" | "marginTop" | "marginBottom" | "x" | "y"
  >;
  readonly axis: readonly Markish[];
}

export interface RowsOptions {
  /** Names may repeat: data refers to a row by id, as `y`. */
  readonly rows: readonly { readonly id: string; readonly label: string }[];
  /** Every drawn value, in the axis's unit: they determine its range and whether it is logarithmic. */
  readonly values: readonly number[];
  readonly label: string;
  readonly widthPx: number;
  readonly rowHeightPx: number;
}

export function rows({ rows: all, values, label, widthPx, rowHeightPx }: RowsOptions): Rows {
  const labelOf = new Map(all.map((row) => [row.id, row.label]));
  const tickFormat = (id: string): string => labelOf.get(id) ?? "";
  const labels = [...labelOf.values()];
  const kind = scaleKindFor(values);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const ticks = axisTicks(kind === "log" ? values : [0, ...values], widthPx < phonePx ? 3 : 8);
  const lengthPx = (words: readonly string[]): number =>
    letterWidthPx * Math.max(...words.map((one) => one.length)) + besideNamesPx;
  // A single word has no narrow spaces.
  const wordsPx = lengthPx(labels.flatMap((one) => one.split(" "))) * 1.15;
  const namesPx = Math.min(
    Math.max(widthPx * mostForNames, Math.min(wordsPx, widthPx * mostForWords)),
    lengthPx(labels),
  );
  const perLine = (letterShare * (namesPx - besideNamesPx)) / letterWidthPx;
  const lines = namesPx < lengthPx(labels) ? Math.max(...labels.map((one) => brokenLines(one, perLine).length)) : 1;
  const domain = kind === "log" ? [low * 0.93, high * 1.07] : [Math.min(0, low), high * 1.04 || 1];
  return {
    options: {
      height: labels.length * Math.max(rowHeightPx, lines * lineHeightPx + 6) + 52,
      marginLeft: namesPx,
      marginRight: 24,
      marginTop: 8,
      marginBottom: 44,
      x: { type: kind, domain, clamp: true },
      y: { type: "band", domain: [...labelOf.keys()], tickFormat, label: null, padding: 0, tickSize: 0 },
    },
    axis: [
      ...(lines === 1
        ? []
        : [
            axisY({
              tickFormat,
              tickSize: 0,
              label: null,
              lineWidth: (letterShare * (namesPx - besideNamesPx)) / fontPx,
            }),
          ]),
      ...valueAxisX({
        label: kind === "log" ? `${label} (logarithmic)` : label,
        ticks: kind === "log" ? ticks : ticks.filter((tick) => tick >= 0),
      }),
      ...(kind === "log" ? [] : [ruleX([0], { stroke: "var(--quiet)" })]),
    ],
  };
}
