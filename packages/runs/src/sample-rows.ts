// The calls of one round as they are written: those that clients recorded, on the clock of the run.
import {
  columnKinds,
  namedColumns,
  type CallColumnName,
  type ColumnsFrom,
  type KindOf,
  type NamedColumn,
  type OptionalColumns,
  type ReadColumns,
  type RecordedCalls,
} from "./call-columns.ts";
import type { Arm, Samples } from "./run-facts.ts";

interface WrittenValues {
  readonly STRING: readonly string[];
  readonly INT32: Int32Array;
  readonly INT64: BigInt64Array;
}

interface WrittenOrNull {
  readonly STRING: readonly (string | null)[];
  readonly INT32: readonly (number | null)[];
  readonly INT64: readonly (bigint | null)[];
}

/** One row per call, in columns of equal length: those of samples.parquet. */
export type SampleRows = {
  readonly [Name in CallColumnName]: Name extends OptionalColumns
    ? WrittenOrNull[KindOf<Name>["written"]]
    : WrittenValues[KindOf<Name>["written"]];
};

function blankColumn({ kind, missing }: NamedColumn, length: number): SampleRows[CallColumnName] {
  const { written } = columnKinds[kind];
  if (missing === "null") return Array.from<null>({ length }).fill(null);
  if (written === "STRING") return Array.from<string>({ length }).fill("");
  return written === "INT32" ? new Int32Array(length) : new BigInt64Array(length);
}

/** Rows in which numbers are 0, texts are empty, and optional values are null. */
export function blankRows(length: number): SampleRows {
  const columns = namedColumns.map((column) => [column.name, blankColumn(column, length)]);
  return Object.fromEntries(columns);
}

export interface RecordedBlock {
  readonly rows: RecordedCalls;
  readonly outcomes: readonly string[];
  /** The time of day at which the client's clock began. */
  readonly timeOriginMs: number;
}

/** The values that all calls of a block share. */
export type BlockValues = { readonly [Name in ColumnsFrom<"runner">]: SampleRows[Name][number] };

/** The first row of a block, and the offset of its client's clock from the run's. */
interface Position {
  readonly at: number;
  readonly offsetMs: number;
}

// A typed array, or a list that may contain null.
type Column<T> = Record<number, T>;

/** @param otherwise the replacement for NaN: a column of the same calls. */
function writeTimes(into: Column<bigint>, from: Float64Array, otherwise: Float64Array, { at, offsetMs }: Position) {
  for (let call = 0; call < from.length; call += 1) {
    const recorded = from[call] as number;
    const ms = Number.isNaN(recorded) ? (otherwise[call] as number) : recorded;
    if (!Number.isNaN(ms)) into[at + call] = BigInt(Math.round((ms + offsetMs) * 1e6));
  }
}

function writeCounts(into: Column<number>, from: Float64Array, at: number): void {
  for (let call = 0; call < from.length; call += 1) {
    const count = from[call] as number;
    if (!Number.isNaN(count)) into[at + call] = count;
  }
}

function writeOutcomes(into: Column<string>, { rows, outcomes }: RecordedBlock, at: number): void {
  for (let call = 0; call < rows.outcome.length; call += 1) {
    into[at + call] = outcomes[rows.outcome[call] as number] ?? "UNKNOWN";
  }
}

/** The rows of a round, which grow by a block at a time. */
export class RoundRows {
  readonly rows: SampleRows;
  readonly #startedAtMs: number;
  #length = 0;

  /** @param calls of all blocks. @param startedAtMs the run's start, in milliseconds of the time of day. */
  constructor(calls: number, startedAtMs: number) {
    this.rows = blankRows(calls);
    this.#startedAtMs = startedAtMs;
  }

  add(values: BlockValues, recorded: RecordedBlock): void {
    for (const column of namedColumns) {
      if (column.source === "client") this.#write(column, recorded);
      else {
        const into = this.rows[column.name as keyof BlockValues] as (string | number)[] | Int32Array;
        into.fill(
          values[column.name as keyof BlockValues] as never,
          this.#length,
          this.#length + recorded.rows.task.length,
        );
      }
    }
    this.#length += recorded.rows.task.length;
  }

  #write({ name, kind, recordedAs, missing }: NamedColumn, recorded: RecordedBlock): void {
    const at = this.#length;
    const into: unknown = this.rows[name];
    const from = recorded.rows[recordedAs as keyof RecordedCalls];
    if (kind === "outcome") writeOutcomes(into as string[], recorded, at);
    else if (kind === "count") writeCounts(into as Column<number>, from as Float64Array, at);
    else if (kind === "number") (into as Int32Array).set(from, at);
    else {
      const otherwise = missing === "startedAtNs" ? recorded.rows.startedAtMs : from;
      const offsetMs = kind === "instant" ? recorded.timeOriginMs - this.#startedAtMs : 0;
      writeTimes(into as Column<bigint>, from as Float64Array, otherwise as Float64Array, { at, offsetMs });
    }
  }
}

/** The index of each word in a list, to which new words are added. */
function indexesIn(words: readonly string[], list: string[]): readonly number[] {
  const indexes = new Map(list.map((word, index) => [word, index]));
  return words.map((word) => {
    const index = indexes.get(word) ?? list.push(word) - 1;
    indexes.set(word, index);
    return index;
  });
}

/** @param arms those of the run, in its order. */
export function roundSamples(rows: SampleRows, arms: readonly Pick<Arm, "id">[]): Samples {
  const outcomes = ["OK"];
  const ids = arms.map(({ id }) => id);
  const columns = namedColumns.map(({ name, kind, readAs }) => {
    if (kind === "arm") return [readAs, Uint32Array.from(indexesIn(rows.armId, ids))] as const;
    if (kind === "outcome") return [readAs, Uint8Array.from(indexesIn(rows.outcome, outcomes))] as const;
    const values = rows[name] as ArrayLike<number | bigint | null>;
    const column = new columnKinds[kind].read(values.length);
    for (let row = 0; row < values.length; row += 1) column[row] = Number(values[row] ?? Number.NaN);
    return [readAs, column] as const;
  });
  return { length: rows.armId.length, outcomes, ...(Object.fromEntries(columns) as unknown as ReadColumns) };
}
