// Rows of the history's tables as values, and back. Column types are the tables' own (STRICT), so what is read is of them.
import type { KeptCell } from "@roundtrip/analysis";
import { withStackIds } from "@roundtrip/runner";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { HistoryCell, HistoryRun } from "./history-run.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;
export type Parameters = Record<string, SQLInputValue>;

function text(row: Row, name: string): string {
  return String(row[name]);
}

function number(row: Row, name: string): number {
  return Number(row[name]);
}

function numberOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : Number(row[name]);
}

export function runFrom(row: Row): HistoryRun {
  return {
    id: text(row, "id"),
    startedAt: text(row, "startedAt"),
    at: text(row, "at"),
    revision: text(row, "revision"),
    branch: text(row, "branch"),
    isDirty: row["isDirty"] === null ? null : row["isDirty"] === 1,
    status: text(row, "status") as HistoryRun["status"],
    rounds: number(row, "rounds"),
    seed: number(row, "seed"),
    tool: text(row, "tool"),
    environment: {
      cpuModel: text(row, "cpuModel"),
      cores: number(row, "cores"),
      kernel: text(row, "kernel"),
      runtime: text(row, "runtime"),
      link: text(row, "link"),
    },
  };
}

export function runParameters({ environment, isDirty, ...run }: HistoryRun): Parameters {
  return { ...run, isDirty: isDirty === null ? null : Number(isDirty), ...environment };
}

/** Null of an arm that was written before. */
function madeOf({ style, server, client }: Row): Pick<HistoryCell, "style" | "server" | "client"> | undefined {
  return style === null ? undefined : { style: String(style), server: String(server), client: String(client) };
}

export function cellFrom(row: Row): HistoryCell {
  return withStackIds({
    runId: text(row, "run"),
    armId: text(row, "armId"),
    study: text(row, "study"),
    task: text(row, "task"),
    stack: text(row, "stack"),
    title: text(row, "title"),
    variant: text(row, "variant"),
    factors: JSON.parse(text(row, "factors")) as HistoryCell["factors"],
    metric: text(row, "metric"),
    n: number(row, "n"),
    mean: number(row, "mean"),
    meanLow: numberOrNull(row, "meanLow"),
    meanHigh: numberOrNull(row, "meanHigh"),
    stddev: number(row, "stddev"),
    p50: number(row, "p50"),
    p99: numberOrNull(row, "p99"),
    roundMeans: JSON.parse(text(row, "roundMeans")) as HistoryCell["roundMeans"],
    ...madeOf(row),
  });
}

export function armParameters({ arm }: KeptCell): Parameters {
  const { id: armId, study, task, style, server, client, stack, title, variant, factors } = arm;
  return { armId, study, task, style, server, client, stack, title, variant, factors: JSON.stringify(factors) };
}

/** Nobody reads more digits of a round's mean than these, and they are most of the file. */
const roundDigits = 9;

export function cellParameters(run: string, arm: number | bigint, { summary, roundMeans }: KeptCell): Parameters {
  const { metric, n, mean, meanLow, meanHigh, stddev, p50, p99 } = summary;
  const rounds = roundMeans.map((value) => (value === null ? null : Number(value.toPrecision(roundDigits))));
  return { run, arm, metric, n, mean, meanLow, meanHigh, stddev, p50, p99, roundMeans: JSON.stringify(rounds) };
}
