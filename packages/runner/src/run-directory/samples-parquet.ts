// Writes `samples.parquet`: one row per call, in columns that DuckDB, pandas and polars can open directly.
import { columnKinds, namedColumns } from "@roundtrip/analysis/call-columns";
import { schemaFromColumnData, type ColumnSource } from "hyparquet-writer";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/files.ts";
import { GrowingParquet } from "./growing-parquet.ts";
import { blankRows, type SampleRows } from "./sample-rows.ts";

function columnsOf(rows: SampleRows): ColumnSource[] {
  return namedColumns.map(({ name, kind, missing }) => {
    const values = rows[name];
    const data = Array.isArray(values) ? [...values] : (values as Int32Array | BigInt64Array);
    return { name, data, type: columnKinds[kind].written, nullable: missing === "null" };
  });
}

/** Writes calls round by round; the file can be read after each. Throws a RunnerError `unwritable` if the disk refuses. */
export class SamplesWriter {
  readonly #path: string;
  readonly #parquet: GrowingParquet;

  constructor(path: string) {
    this.#path = path;
    this.#parquet = this.#guard(
      () => new GrowingParquet(path, schemaFromColumnData({ columnData: columnsOf(blankRows(0)) })),
    );
  }

  /** Writes the calls of one round to row groups of its own. */
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
