// A Parquet file that can be read after every row group: it always ends with a footer, which the next group overwrites. A run that is killed, or that
// fills the disk, keeps all earlier groups.
import { ByteWriter, ParquetWriter, type ColumnSource } from "hyparquet-writer";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

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
    this.#file = openSync(path, "w");
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
