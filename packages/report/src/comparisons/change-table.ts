// The tables of a comparison: the changes, and the details below them.
import {
  type CellState,
  type ComparedCell,
  counted,
  listed,
  type Metric,
  type VersionComparison,
} from "@roundtrip/analysis";
import { column, figureColumns, measuredRow, type Table } from "../basics/table.ts";
import { absent, number, tickLabel, timeUnitFor } from "../basics/quantity.ts";
import { armNames, changeRange, changeText, metricLabel, mostLost, shareText, judgedText } from "./cell-label.ts";
import { affected, type ComparedArm } from "./verdict-words.ts";

function roundsText({ base, head }: ComparedCell["rounds"]): string {
  return base === head ? String(base) : `${base} and ${head}`;
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
      ...(isJudged ? [column.end("at most"), column.end("detectable")] : []),
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
