// Every figure of a comparison and all other differences, for readers who want to check.
import type { ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { column, measuredRow, type Table } from "../basics/table.ts";
import { absent, number, tickLabel, timeUnitFor } from "../basics/quantity.ts";
import { armNames, metricLabel } from "./cell-label.ts";
import { judgedText } from "./latencies.ts";
import { stateWords } from "./change-table.ts";
import { changeRange, changeText, shareText } from "./change-text.ts";

function roundsText({ base, head }: ComparedCell["rounds"]): string {
  return base === head ? String(base) : `${base} and ${head}`;
}

function probability(value: number | null): string {
  if (value === null) return absent;
  return value < 0.0001 ? "<0.0001" : Number(value.toPrecision(2)).toString();
}

/** One row per metric of an arm: mean ± standard deviation of both, medians, the change and its interval. */
export function figuresTable(comparison: VersionComparison, cells: readonly ComparedCell[]): Table {
  const name = armNames(comparison);
  const isJudged = comparison.kind === "side-by-side";
  const unit = timeUnitFor(cells.map(({ base }) => base.p50));
  const time = (ms: number): string => number(ms * unit.perMs);
  return {
    id: "figures",
    caption: `All figures, in ${unit.symbol} a task`,
    columns: [
      column.start("arm"),
      column.start("metric"),
      column.end("rounds"),
      column.end("base: mean ± sd"),
      column.end("median"),
      column.end("head: mean ± sd"),
      column.end("median"),
      column.end("change"),
      column.end("95 % interval"),
      column.end("pseudo-median"),
      ...(isJudged ? [column.end("at most"), column.end("adjusted p"), column.end("detectable")] : []),
      column.start("state"),
    ],
    rows: cells.map((cell) =>
      measuredRow([
        name(cell),
        metricLabel(cell.metric),
        roundsText(cell.rounds),
        `${time(cell.base.mean)} ± ${time(cell.base.stddev)}`,
        time(cell.base.p50),
        `${time(cell.head.mean)} ± ${time(cell.head.stddev)}`,
        time(cell.head.p50),
        changeText(cell.ratio),
        changeRange(cell.low, cell.high),
        changeText(cell.pseudoMedian),
        ...(isJudged
          ? [
              cell.atMost === null ? absent : changeText(cell.atMost),
              probability(cell.adjustedP),
              cell.smallestDetectable === null ? absent : shareText(Number(cell.smallestDetectable.toPrecision(2))),
            ]
          : []),
        stateWords[cell.state],
      ]),
    ),
    note: [
      "Mean, standard deviation and median are of all tasks (of blocks for CPU); change, interval and pseudo-median of rounds: head over base, " +
        "the interval simultaneous over all metrics.",
      ...(isJudged ? [`Judged: ${judgedText(comparison)}. A pass rests on what each metric has lost at most.`] : []),
    ].join(" "),
  };
}

function count(value: number): string {
  return Number.isInteger(value) ? tickLabel(value) : number(value);
}

/** Counts that changed; null without any. */
export function exactTable(comparison: VersionComparison): Table | null {
  if (comparison.exact.length === 0) return null;
  const name = armNames(comparison);
  return {
    id: "counts",
    caption: "Counts that changed (exact: no statistics needed)",
    columns: [
      column.start("arm"),
      column.start("count a task"),
      column.end("base"),
      column.end("head"),
      column.end("change"),
    ],
    rows: comparison.exact.map((one) => {
      const change = `${one.head > one.base ? "+" : ""}${count(one.head - one.base)}`;
      return measuredRow([name(one), metricLabel(one.metric), count(one.base), count(one.head), change]);
    }),
    note: "",
  };
}

export function differencesTable({ environmentDifferences }: VersionComparison): Table | null {
  if (environmentDifferences.length === 0) return null;
  return {
    id: "differences",
    caption: "What else was not the same",
    columns: [column.start("what"), column.start("base"), column.start("head")],
    rows: environmentDifferences.map(({ what, base, head }) => measuredRow([what, base, head])),
    note: "",
  };
}
