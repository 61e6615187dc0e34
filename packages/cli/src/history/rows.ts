// Converts rows of the history's tables to values and back. The tables are STRICT, so column types are reliable.
import type { HistoryRecordCell } from "@roundtrip/analysis";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { HistoryCell, HistoryRun } from "./history-run.ts";

type Row = Readonly<Record<string, SQLOutputValue>>;
type Parameters = Record<string, SQLInputValue>;

const environment = ["cpuModel", "cores", "kernel", "runtime", "link"] as const;
const run = ["at", "startedAt", "revision", "branch", "isDirty", "status", "rounds", "seed", "tool"] as const;
const arm = ["armId", "study", "task", "style", "server", "client", "stack", "title", "variant", "factors"] as const;
const figures = ["metric", "n", "mean", "meanLow", "meanHigh", "stddev", "p50", "p99", "roundMeans"] as const;

/** The columns of the tables, without keys of runs and arms. */
export const columns = { run: [...run, ...environment], arm, figures } as const;

function pick<Name extends string>(from: object, names: readonly Name[]): Readonly<Record<Name, SQLOutputValue>> {
  const members = from as Readonly<Record<Name, SQLOutputValue>>;
  return Object.fromEntries(names.map((name) => [name, members[name]])) as Record<Name, SQLOutputValue>;
}

export function runFrom(row: Row): HistoryRun {
  const { isDirty, ...others } = pick(row, run);
  return {
    id: row["id"],
    ...others,
    isDirty: isDirty === null ? null : isDirty === 1,
    environment: pick(row, environment),
  } as unknown as HistoryRun;
}

export function runParameters({ environment: of, isDirty, ...others }: HistoryRun): Parameters {
  return { ...others, isDirty: isDirty === null ? null : Number(isDirty), ...of };
}

export function cellFrom(row: Row): HistoryCell {
  const { factors, ...ofArm } = pick(row, arm);
  const { roundMeans, ...others } = pick(row, figures);
  return {
    runId: row["run"],
    ...ofArm,
    factors: JSON.parse(String(factors)) as HistoryCell["factors"],
    ...others,
    roundMeans: JSON.parse(String(roundMeans)) as HistoryCell["roundMeans"],
  } as unknown as HistoryCell;
}

export function armParameters({ arm: { id, factors, ...others } }: HistoryRecordCell): Parameters {
  const { study, task, style, server, client, stack, title, variant } = others;
  return { armId: id, study, task, style, server, client, stack, title, variant, factors: JSON.stringify(factors) };
}

/** Significant digits of a round's mean: enough for readers, and these are most of the file. */
const roundDigits = 9;

export function cellParameters(runId: string, armKey: number, { summary, roundMeans }: HistoryRecordCell): Parameters {
  const { metric, n, mean, meanLow, meanHigh, stddev, p50, p99 } = summary;
  const rounds = roundMeans.map((value) => (value === null ? null : Number(value.toPrecision(roundDigits))));
  const of = { run: runId, arm: armKey, metric };
  return { ...of, n, mean, meanLow, meanHigh, stddev, p50, p99, roundMeans: JSON.stringify(rounds) };
}
