// Box plots of a comparison in text: base above head for each shown arm.
import type { ComparedCell, VersionComparison, VersionFigures } from "@roundtrip/analysis";
import { textBoxPlot, type BoxRow } from "../text/box-plot.ts";
import { inks } from "../text/ink.ts";
import { affected } from "./verdict-words.ts";
import { armNames } from "./cell-label.ts";

const columns = 96;

/** More boxes on one axis are hard to read. */
const mostBoxes = 6;

/** The latencies to draw: of the shown arms, or else of the first ones. */
export function boxCells(comparison: VersionComparison): readonly ComparedCell[] {
  const { arms, others } = affected(comparison);
  return (arms.length > 0 ? arms : others)
    .flatMap(({ cells }) => cells.filter(({ metric }) => metric === "latencyMs"))
    .slice(0, mostBoxes);
}

function row(label: string, { outliersDrawn, ...figures }: VersionFigures): BoxRow {
  const { armId } = figures;
  return {
    label,
    summary: { ...figures, metric: "latencyMs" },
    distribution: { armId, outliersDrawn, letterValues: [], roundMeansMs: [] },
  };
}

export function comparedBoxes(comparison: VersionComparison): readonly string[] {
  const name = armNames(comparison);
  const rows = boxCells(comparison).flatMap((cell) => [
    row(`${name(cell)}, base`, cell.base),
    row(`${name(cell)}, head`, cell.head),
  ]);
  return textBoxPlot("Latency per task", rows, { columns, hasLegend: true }, inks(false));
}
