// Sentences that count what a comparison does not list: unchanged metrics, and arms of one side only.
import { counted, listed, type VersionComparison } from "@roundtrip/analysis";
import { affected } from "./affected.ts";
import type { Table } from "../basics/table.ts";
import { stateWords } from "./change-table.ts";
import { changeText, mostLost } from "./change-text.ts";

/** Cuts a table to `mostRows` rows, and notes how many more there are. */
export function shortened(table: Table, mostRows: number): Table {
  const left = table.rows.length - mostRows;
  if (left <= 0) return table;
  const note = [table.note, `${counted(left, "more row")} in the other formats.`].filter((part) => part !== "");
  return { ...table, rows: table.rows.slice(0, mostRows), note: note.join(" ") };
}

const namesShown = 3;

function onlyText(ids: readonly string[], label: string): readonly string[] {
  if (ids.length === 0) return [];
  const others = ids.length - namesShown;
  const named = listed([...ids.slice(0, namesShown), ...(others > 0 ? [counted(others, "other")] : [])]);
  return [`Only ${label} has ${named}.`];
}

export function foldedText(comparison: VersionComparison): readonly string[] {
  const { others } = affected(comparison);
  const cells = others.flatMap((arm) => arm.cells);
  const states = [...Map.groupBy(cells, ({ state }) => state)].map(
    ([state, some]) => `${counted(some.length, "metric")} ${stateWords[state]}`,
  );
  const bounds = cells.flatMap((cell) => (cell.state === "not-worse" ? (mostLost(cell) ?? []) : []));
  const atMost = bounds.length === 0 ? "" : `, at most ${changeText(Math.max(...bounds))}`;
  return [
    ...(cells.length === 0 ? [] : [`${counted(others.length, "other arm")}: ${listed(states)}${atMost}.`]),
    ...onlyText(comparison.onlyBase, "base"),
    ...onlyText(comparison.onlyHead, "head"),
  ];
}
