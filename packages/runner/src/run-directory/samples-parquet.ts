// `samples.parquet`: one row per call, in columns that DuckDB, pandas and polars open as they are.
import type { Samples } from "@roundtrip/analysis";
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from "hyparquet";
import { schemaFromColumnData, type ColumnSource } from "hyparquet-writer";
import { RunnerError } from "../runner-error.ts";
import { fileFault } from "./file-fault.ts";
import { GrowingParquet } from "./growing-parquet.ts";

/** The calls of one round, in columns of equal length. */
export interface SampleRows {
  readonly armId: readonly string[];
  readonly round: Int32Array;
  readonly block: Int32Array;
  readonly index: Int32Array;
  readonly step: Int32Array;
  /** Nanoseconds since the run's start. */
  readonly intendedAtNs: BigInt64Array;
  readonly startedAtNs: BigInt64Array;
  readonly endedAtNs: BigInt64Array;
  readonly outcome: readonly string[];
  readonly requestBytes: Int32Array;
  readonly responseBytes: Int32Array;
  /** When the first message of a stream of answers came, and how often it paused; null for other calls. */
  readonly firstByteAtNs: readonly (bigint | null)[];
  readonly pauses: readonly (number | null)[];
  /** What the answer told of its server's time; null for calls whose answers tell none. */
  readonly queueNs: readonly (bigint | null)[];
  readonly serviceNs: readonly (bigint | null)[];
}

function columnsOf(rows: SampleRows): ColumnSource[] {
  const required = { nullable: false } as const;
  return [
    { name: "armId", data: [...rows.armId], type: "STRING", ...required },
    { name: "round", data: rows.round, type: "INT32", ...required },
    { name: "block", data: rows.block, type: "INT32", ...required },
    { name: "index", data: rows.index, type: "INT32", ...required },
    { name: "step", data: rows.step, type: "INT32", ...required },
    { name: "intendedAtNs", data: rows.intendedAtNs, type: "INT64", ...required },
    { name: "startedAtNs", data: rows.startedAtNs, type: "INT64", ...required },
    { name: "endedAtNs", data: rows.endedAtNs, type: "INT64", ...required },
    { name: "outcome", data: [...rows.outcome], type: "STRING", ...required },
    { name: "requestBytes", data: rows.requestBytes, type: "INT32", ...required },
    { name: "responseBytes", data: rows.responseBytes, type: "INT32", ...required },
    { name: "firstByteAtNs", data: [...rows.firstByteAtNs], type: "INT64", nullable: true },
    { name: "pauses", data: [...rows.pauses], type: "INT32", nullable: true },
    { name: "queueNs", data: [...rows.queueNs], type: "INT64", nullable: true },
    { name: "serviceNs", data: [...rows.serviceNs], type: "INT64", nullable: true },
  ];
}

const noRows: SampleRows = {
  armId: [],
  round: new Int32Array(),
  block: new Int32Array(),
  index: new Int32Array(),
  step: new Int32Array(),
  intendedAtNs: new BigInt64Array(),
  startedAtNs: new BigInt64Array(),
  endedAtNs: new BigInt64Array(),
  outcome: [],
  requestBytes: new Int32Array(),
  responseBytes: new Int32Array(),
  firstByteAtNs: [],
  pauses: [],
  queueNs: [],
  serviceNs: [],
};

/** Writes calls round by round; the file can be read after each. Throws a RunnerError `unwritable` when the disk refuses. */
export class SamplesWriter {
  readonly #path: string;
  readonly #parquet: GrowingParquet;

  constructor(path: string) {
    this.#path = path;
    this.#parquet = this.#guard(
      () => new GrowingParquet(path, schemaFromColumnData({ columnData: columnsOf(noRows) })),
    );
  }

  /** One row group per round. */
  write(rows: SampleRows): void {
    if (rows.armId.length > 0) this.#guard(() => this.#parquet.append(columnsOf(rows)));
  }

  close(): void {
    this.#guard(() => this.#parquet.close());
  }

  #guard<T>(write: () => T): T {
    try {
      return write();
    } catch (cause) {
      throw new RunnerError("unwritable", `cannot write ${this.#path}: ${fileFault(cause)}`, { cause });
    }
  }
}

function unreadableWhy(cause: unknown): string {
  const isSystemError = cause instanceof Error && "code" in cause;
  return isSystemError ? fileFault(cause) : `it is damaged or cut off (${fileFault(cause)})`;
}

function unreadable(path: string, cause: unknown): RunnerError {
  return new RunnerError("unreadable", `cannot read ${path}: ${unreadableWhy(cause)}`, { cause });
}

/** How many calls a file holds, by its footer. Rejects with `unreadable` for a damaged file. */
export async function countSamples(path: string): Promise<number> {
  try {
    const { num_rows: rows } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    return Number(rows);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Reads the calls of a run. @param armIds the run's arms: rows refer to them by index. Throws `unreadable` for a damaged file. */
export async function readSamples(path: string, armIds: readonly string[]): Promise<Samples> {
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const length = Number(metadata.num_rows);
    const samples = {
      length,
      arm: new Uint32Array(length),
      round: new Uint32Array(length),
      block: new Uint32Array(length),
      task: new Uint32Array(length),
      step: new Uint32Array(length),
      intendedAtNs: new Float64Array(length),
      startedAtNs: new Float64Array(length),
      endedAtNs: new Float64Array(length),
      outcome: new Uint8Array(length),
      outcomes: [] as string[],
      requestBytes: new Float64Array(length),
      responseBytes: new Float64Array(length),
      // Files of before there were streams, and of before times were told, lack these columns.
      firstByteAtNs: new Float64Array(length).fill(Number.NaN),
      pauses: new Float64Array(length).fill(Number.NaN),
      queueNs: new Float64Array(length).fill(Number.NaN),
      serviceNs: new Float64Array(length).fill(Number.NaN),
    };
    const armIndex = new Map(armIds.map((id, index) => [id, index]));
    const numbers: Readonly<Record<string, Uint32Array | Float64Array>> = {
      round: samples.round,
      block: samples.block,
      index: samples.task,
      step: samples.step,
      intendedAtNs: samples.intendedAtNs,
      startedAtNs: samples.startedAtNs,
      endedAtNs: samples.endedAtNs,
      requestBytes: samples.requestBytes,
      responseBytes: samples.responseBytes,
      firstByteAtNs: samples.firstByteAtNs,
      pauses: samples.pauses,
      queueNs: samples.queueNs,
      serviceNs: samples.serviceNs,
    };
    await parquetRead({
      file,
      metadata,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const column = numbers[columnName];
        for (let row = 0; row < columnData.length; row += 1) {
          const value: unknown = columnData[row];
          const at = rowStart + row;
          if (column !== undefined) column[at] = typeof value === "object" ? Number.NaN : Number(value);
          else if (columnName === "armId") {
            const arm = armIndex.get(String(value));
            if (arm === undefined) throw new Error(`row ${at} belongs to the unknown arm "${String(value)}"`);
            samples.arm[at] = arm;
          } else if (columnName === "outcome") {
            const known = samples.outcomes.indexOf(String(value));
            samples.outcome[at] = known === -1 ? samples.outcomes.push(String(value)) - 1 : known;
          }
        }
      },
    });
    return samples;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
