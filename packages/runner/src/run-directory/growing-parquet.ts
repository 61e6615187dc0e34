// A Parquet file that can be read after every row group: it always ends with a footer, which the next group overwrites. A run that is
// killed, or that fills the disk, keeps every group before.
import { ByteWriter, ParquetWriter, type ColumnSource } from "hyparquet-writer";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Of one row group: what a reader decodes at a time. */
const mostRows = 2 ** 17;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]["schema"];

/** Grows by row groups. Throws the system's error when the disk refuses; what was written before stays readable. */
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
    // Waits for nothing: bytes are written to memory.
    void this.#parquet.write({ columnData, rowGroupSize: mostRows });
    this.#save();
  }

  close(): void {
    closeSync(this.#file);
  }

  // Writes the bytes of the new group, and the footer that counts it, where the last footer began.
  #save(): void {
    const groupBytes = this.#bytes.index;
    // The library's end of a file is a footer over all groups so far; it holds nothing back for a second end.
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
      // The error of the write is already on its way to the caller.
    }
  }
}
