// Reads `samples.parquet`, whole or in parts of whole rounds: of a long run there is room for one part, not for all calls.
import type { Samples } from "@roundtrip/analysis";
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from "hyparquet";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/file-fault.ts";
import { groupsIn, hasValues, roundParts, type RowRange } from "./row-groups.ts";

function unreadable(path: string, cause: unknown): RunnerError {
  const isSystemError = cause instanceof Error && "code" in cause;
  const why = isSystemError ? fileFault(cause) : `it is damaged or cut off (${fileFault(cause)})`;
  return new RunnerError("unreadable", `cannot read ${path}: ${why}`, { cause });
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

type Values = ArrayLike<number | bigint | string | null>;
type Take = (values: Values, at: number) => void;

/** Numbers, NaN for null: rows begin at `at`. */
function fill(column: Uint32Array | Float64Array): Take {
  return (values, at) => {
    if (values instanceof BigInt64Array) {
      // A double is made of two halves: making a bigint of each would take longer than all the rest.
      const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
      for (let row = 0; row < values.length; row += 1) {
        column[at + row] = (halves[2 * row + 1] as number) * 2 ** 32 + ((halves[2 * row] as number) >>> 0);
      }
    } else if (values instanceof Int32Array) column.set(values, at);
    else {
      for (let row = 0; row < values.length; row += 1) {
        const value = values[row] ?? null;
        column[at + row] = value === null ? Number.NaN : Number(value);
      }
    }
  };
}

/** Places of words in a list. @param placeOf is asked once for each change of the word. */
function fillPlaces(column: Uint32Array | Uint8Array, placeOf: (word: string, row: number) => number): Take {
  return (values, at) => {
    let last: unknown;
    let place = 0;
    for (let row = 0; row < values.length; row += 1) {
      const word = values[row];
      if (word !== last) place = placeOf(String(word), at + row);
      last = word;
      column[at + row] = place;
    }
  };
}

/** Memory for the columns of the largest part: each part is read into that of the one before. */
class ColumnMemory {
  readonly #rows: number;
  readonly #made = new Map<string, Uint32Array | Float64Array>();

  constructor(rows: number) {
    this.#rows = rows;
  }

  places(column: string, length: number): Uint32Array {
    const made = this.#made.get(column) ?? new Uint32Array(this.#rows);
    this.#made.set(column, made);
    return made.subarray(0, length) as Uint32Array;
  }

  numbers(column: string, length: number): Float64Array {
    const made = this.#made.get(column) ?? new Float64Array(this.#rows);
    this.#made.set(column, made);
    return made.subarray(0, length) as Float64Array;
  }
}

interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  /** The arms of the run: rows refer to them by index. */
  readonly armIds: readonly string[];
}

/** Columns that most runs leave empty: they are read where they hold something. */
const optionalColumns = ["firstByteAtNs", "pauses", "queueNs", "serviceNs"] as const;

/** Reads some rows of a file, one column after the other. */
class PartReader {
  readonly #opened: OpenFile;
  readonly #range: RowRange;
  readonly #memory: ColumnMemory;
  readonly #length: number;

  constructor(opened: OpenFile, range: RowRange, memory: ColumnMemory) {
    this.#opened = opened;
    this.#range = range;
    this.#memory = memory;
    this.#length = range.rowEnd - range.rowStart;
  }

  // One column of one row group at a time: each is freed before the next is decoded.
  async #read(column: string, take: Take): Promise<void> {
    const { file, metadata } = this.#opened;
    let fault: Error | undefined;
    const onChunk = ({
      columnData,
      rowStart: at,
    }: {
      readonly columnData: Values;
      readonly rowStart: number;
    }): void => {
      try {
        take(columnData, at - this.#range.rowStart);
      } catch (thrown) {
        // Nobody would hear of it there.
        fault ??= thrown as Error;
      }
    };
    for (const group of groupsIn(metadata, this.#range)) {
      await parquetRead({ file, metadata, columns: [column], ...group, onChunk });
      if (fault !== undefined) throw fault;
    }
  }

  async #places(column: string): Promise<Uint32Array> {
    const into = this.#memory.places(column, this.#length);
    await this.#read(column, fill(into));
    return into;
  }

  async #numbers(column: string): Promise<Float64Array> {
    const into = this.#memory.numbers(column, this.#length);
    await this.#read(column, fill(into));
    return into;
  }

  /** The index of each row's arm. Rejects for an arm that the run does not have. */
  async #arms(): Promise<Uint32Array> {
    const armOf = new Map(this.#opened.armIds.map((id, index) => [id, index]));
    const arm = this.#memory.places("armId", this.#length);
    const placeOf = (id: string, row: number): number => {
      const known = armOf.get(id);
      if (known !== undefined) return known;
      throw new Error(`row ${this.#range.rowStart + row} belongs to the unknown arm "${id}"`);
    };
    await this.#read("armId", fillPlaces(arm, placeOf));
    return arm;
  }

  async #outcomes(): Promise<Pick<Samples, "outcome" | "outcomes">> {
    const outcome = new Uint8Array(this.#length);
    const outcomes: string[] = [];
    const placeOf = (word: string): number => {
      const known = outcomes.indexOf(word);
      return known === -1 ? outcomes.push(word) - 1 : known;
    };
    await this.#read("outcome", fillPlaces(outcome, placeOf));
    return { outcome, outcomes };
  }

  async #optional(): Promise<Pick<Samples, (typeof optionalColumns)[number]>> {
    const filled: [string, Float64Array][] = [];
    for (const column of optionalColumns) {
      if (hasValues(this.#opened.metadata, column, this.#range)) filled.push([column, await this.#numbers(column)]);
    }
    return Object.fromEntries(filled);
  }

  async samples(): Promise<Samples> {
    return {
      length: this.#length,
      arm: await this.#arms(),
      ...(await this.#outcomes()),
      round: await this.#places("round"),
      block: await this.#places("block"),
      task: await this.#places("index"),
      step: await this.#places("step"),
      intendedAtNs: await this.#numbers("intendedAtNs"),
      startedAtNs: await this.#numbers("startedAtNs"),
      endedAtNs: await this.#numbers("endedAtNs"),
      requestBytes: await this.#numbers("requestBytes"),
      responseBytes: await this.#numbers("responseBytes"),
      ...(await this.#optional()),
    };
  }
}

async function open(path: string, armIds: readonly string[]): Promise<OpenFile> {
  const file = await asyncBufferFromFile(path);
  return { file, metadata: await parquetMetadataAsync(file), armIds };
}

/** Reads the calls of a run. @param armIds the run's arms: rows refer to them by index. Rejects with `unreadable` for a damaged file. */
export async function readSamples(path: string, armIds: readonly string[]): Promise<Samples> {
  try {
    const opened = await open(path, armIds);
    const rows = Number(opened.metadata.num_rows);
    return await new PartReader(opened, { rowStart: 0, rowEnd: rows }, new ColumnMemory(rows)).samples();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/**
 * As {@link readSamples}, in parts that hold whole rounds: at least one, in the order of the rounds. Each is there until the next is asked
 * for, which takes its memory. A file whose rounds are mixed, by another program that wrote it anew, is one part.
 */
export async function* samplesInParts(
  path: string,
  armIds: readonly string[],
): AsyncGenerator<Samples, void, undefined> {
  try {
    const opened = await open(path, armIds);
    const parts = roundParts(opened.metadata);
    const memory = new ColumnMemory(Math.max(...parts.map(({ rowStart, rowEnd }) => rowEnd - rowStart)));
    for (const part of parts) yield await new PartReader(opened, part, memory).samples();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
