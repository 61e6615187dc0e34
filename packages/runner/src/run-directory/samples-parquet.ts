// Writes `samples.parquet`: one row per call, in columns that DuckDB, pandas and polars open as they are.
import { schemaFromColumnData, type ColumnSource } from "hyparquet-writer";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/file-fault.ts";
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

  /** The calls of one round: row groups of its own. */
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
