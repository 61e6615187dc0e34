// From which round-trip time on a façade beats other ways to call.
import type { Crossover } from "@roundtrip/analysis";
import { studyLabel, variantLabel } from "../arm-label.ts";
import { absent, interval, number } from "../quantity.ts";
import type { ReportInput } from "../report-input.ts";
import { column, slug, type Table } from "../table.ts";
import { markedTitle, withMarkNote } from "../unsettled-mark.ts";

function fromText({ aboveMs, always, isClear }: Crossover): string {
  if (aboveMs !== null) return number(aboveMs);
  if (always === null) return "cannot be told";
  return `${always === "facade" ? "always" : "never"}${isClear ? "" : ", it seems"}`;
}

/** Null when the study has no façade and another way over distance. */
export function crossoverTable({ analysis }: ReportInput, study: string): Table | null {
  const rows = analysis.crossovers.filter((row) => row.study === study);
  const [first] = rows;
  if (first === undefined) return null;
  return withMarkNote(analysis, {
    id: slug(`crossover ${study}`),
    caption: `${studyLabel(study)}: from which round-trip time on the façade is faster`,
    columns: [
      column.start("task and other way"),
      column.start("façade over"),
      column.end("faster from, ms"),
      column.end("95 % interval"),
    ],
    rows: rows.map((row) => {
      const other = `${markedTitle(analysis, row)} ${variantLabel(row.variant)}`;
      return {
        role: "measured",
        nested: { group: row.task, name: other },
        cells: [
          `${row.task}, ${other}`,
          markedTitle(analysis, { title: row.facadeTitle }),
          fromText(row),
          row.aboveMs === null ? absent : interval(row.low, row.high, number),
        ],
      };
    }),
    note: `Where the lines over distance cross, between ${number(first.nearestMs)} and ${number(first.farthestMs)} ms; always and never are meant for all of them.`,
  });
}
