// The short table of a comparison: one row per arm, with its changes and their intervals.
import type { CellState, ComparedCell, Metric, VersionComparison } from "@roundtrip/analysis";
import { figureColumns, measuredRow, type Table } from "../basics/table.ts";
import { absent } from "../basics/quantity.ts";
import { affected, type ComparedArm } from "./affected.ts";
import { armNames, metricLabel } from "./cell-label.ts";
import { changeRange, changeText } from "./change-text.ts";

/** A mark for each state, so that no reader depends on colours. */
export const stateMarks: Readonly<Record<CellState, string>> = {
  worse: "▲",
  better: "▼",
  undecided: "?",
  "not-worse": "=",
};

export const stateWords: Readonly<Record<CellState, string>> = {
  worse: "worse",
  better: "better",
  undecided: "undecided",
  "not-worse": "not worse",
};

function metricsOf({ cells }: VersionComparison): readonly Metric[] {
  return [...new Set(cells.map(({ metric }) => metric))];
}

function changeCells(cell: ComparedCell | undefined): readonly string[] {
  if (cell === undefined) return [absent, absent];
  return [`${stateMarks[cell.state]} ${changeText(cell.ratio)}`, changeRange(cell.low, cell.high)];
}

export function changeTable(comparison: VersionComparison, arms: readonly ComparedArm[], caption: string): Table {
  const metrics = metricsOf(comparison);
  const name = armNames(comparison);
  const states = new Set(arms.flatMap(({ cells }) => cells.map(({ state }) => state)));
  const legend = [...states].map((state) => `${stateMarks[state]} ${stateWords[state]}`).join(", ");
  return {
    id: "changes",
    caption,
    columns: figureColumns("arm", ...metrics.flatMap((metric) => [metricLabel(metric), "95 % interval"])),
    rows: arms.map(({ cells }) => {
      const changes = metrics.flatMap((metric) => changeCells(cells.find((cell) => cell.metric === metric)));
      return measuredRow([name(cells[0] as ComparedCell), ...changes]);
    }),
    note: legend,
  };
}

export function changesCaption(comparison: VersionComparison): string {
  const { chosen } = affected(comparison);
  const change = `Change from ${comparison.base.label} to ${comparison.head.label}`;
  return chosen === "changed" ? change : `${change}: what differs most`;
}
