// Writes a run directory. `samples.parquet` has one row per call, in columns that DuckDB, pandas and polars can open directly. It can be read after every
// row group: it always ends with a footer, which the next group overwrites. A run that is killed, or that fills the disk, keeps all earlier groups.
import { accessSync, closeSync, constants, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { RunFacts } from "./run-facts.ts";
import { columnKinds, namedColumns } from "./call-columns.ts";
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { fileFault, makeDirectory } from "./files.ts";
import { RunError } from "./run-error.ts";
import { runFile, samplesFile, writeRunFile } from "./run-file.ts";
import { blankRows, type SampleRows } from "./sample-rows.ts";

/** Of one row group, which a reader decodes at once. */
const mostRows = 2 ** 17;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]["schema"];

/** Grows by row groups. Throws the system's error if the disk refuses; what was written before stays readable. */
export class GrowingParquet {
  readonly #file: number;
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  #groupsEnd = 0;
  #footer = new Uint8Array();

  constructor(path: string, schema: Schema) {
    // Without waiting for the reader of a pipe.
    this.#file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK);
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema, createdBy: "roundtrip" });
    this.#save();
  }

  /** Appends columns of equal length, in row groups that fit into a reader's memory. */
  append(columnData: ColumnSource[]): void {
    // Need not be awaited: bytes are written to memory.
    void this.#parquet.write({ columnData, rowGroupSize: mostRows });
    this.#save();
  }

  close(): void {
    closeSync(this.#file);
  }

  // Writes the bytes of the new group and its footer over the last footer.
  #save(): void {
    const groupBytes = this.#bytes.index;
    // The library finishes a file with a footer over all groups so far, and can do so repeatedly.
    void this.#parquet.finish();
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    try {
      this.#writeAll(bytes);
    } catch (thrown) {
      this.#restore();
      throw thrown;
    }
    this.#groupsEnd += groupBytes;
    this.#footer = bytes.subarray(groupBytes);
    this.#bytes.offset = this.#groupsEnd;
  }

  #writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#groupsEnd + done);
    }
  }

  // Replaces an incomplete row group by the previous footer.
  #restore(): void {
    try {
      ftruncateSync(this.#file, this.#groupsEnd);
      this.#writeAll(this.#footer);
    } catch {
      // The caller gets the error of the write.
    }
  }
}

function columnsOf(rows: SampleRows): ColumnSource[] {
  return namedColumns.map(({ name, kind, missing }) => {
    const values = rows[name];
    const data = Array.isArray(values) ? [...values] : (values as Int32Array | BigInt64Array);
    return { name, data, type: columnKinds[kind].written, nullable: missing === "null" };
  });
}

/** Writes calls round by round; the file can be read after each. Throws a RunError `unwritable` if the disk refuses. */
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
      throw new RunError("unwritable", `cannot write ${this.#path}: ${fileFault(cause)}`, { cause });
    }
  }
}

export interface OpenRunDirectory {
  readonly samples: SamplesWriter;
  /** Writes the facts known so far; called after every round, so that a crash loses at most one. */
  writeFacts(facts: RunFacts): void;
}

/** Makes the directory if it does not exist. Throws `unwritable` before anything is measured rather than after. */
export function openRunDirectory(directory: string): OpenRunDirectory {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new RunError("unwritable", `cannot write to ${directory}: ${fileFault(cause)}`, { cause });
  }
  return {
    samples: new SamplesWriter(join(directory, samplesFile)),
    writeFacts: (facts) => writeRunFile(join(directory, runFile), facts),
  };
}
