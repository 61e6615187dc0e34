// Reads `samples.parquet`, whole or in parts of whole rounds: a long run may be larger than memory.
import type { Samples } from "./run-facts.ts";
import { columnKinds, type NamedColumn, namedColumns, type ReadColumns } from "./call-columns.ts";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type RowGroup,
} from "hyparquet";
import { fileFault, requireFile } from "./files.ts";
import { RunError } from "./run-error.ts";

/** A range of rows, excluding `rowEnd`. */
export interface RowRange {
  readonly rowStart: number;
  readonly rowEnd: number;
}

function columnOf({ columns }: RowGroup, name: string): ColumnMetaData | undefined {
  return columns.find(({ meta_data: column }) => column?.path_in_schema[0] === name)?.meta_data;
}

/** The first and last round of a row group; minus and plus infinity if the footer has no statistics. */
function roundsIn(group: RowGroup): { readonly first: number; readonly last: number } {
  const { min_value: first, max_value: last } = columnOf(group, "round")?.statistics ?? {};
  return typeof first === "number" && typeof last === "number" ? { first, last } : { first: -Infinity, last: Infinity };
}

function rangesOf(groups: readonly RowGroup[]): readonly RowRange[] {
  let rowEnd = 0;
  return groups.map(({ num_rows: rows }) => {
    const rowStart = rowEnd;
    rowEnd += Number(rows);
    return { rowStart, rowEnd };
  });
}

/** The smallest consecutive parts such that no round is in two of them. At least one, which may be empty. */
function roundParts({ row_groups: groups }: FileMetaData): readonly RowRange[] {
  const rounds = groups.map(roundsIn);
  const ranges = rangesOf(groups);
  const parts: RowRange[] = [];
  let rowStart = 0;
  let last = -Infinity;
  for (const [index, { rowEnd }] of ranges.entries()) {
    last = Math.max(last, rounds[index]?.last ?? Infinity);
    const next = Math.min(Infinity, ...rounds.slice(index + 1).map(({ first }) => first));
    if (last >= next) continue;
    parts.push({ rowStart, rowEnd });
    rowStart = rowEnd;
  }
  const rowEnd = ranges.at(-1)?.rowEnd ?? 0;
  return rowStart < rowEnd || parts.length === 0 ? [...parts, { rowStart, rowEnd }] : parts;
}

function groupsIn({ row_groups: groups }: FileMetaData, { rowStart, rowEnd }: RowRange): readonly RowRange[] {
  return rangesOf(groups).filter((range) => range.rowStart >= rowStart && range.rowEnd <= rowEnd);
}

/** Whether any row of a part has a value in a column; false if there is no such column, true if the footer has no statistics. */
function hasValues({ row_groups: groups }: FileMetaData, name: string, { rowStart, rowEnd }: RowRange): boolean {
  const ranges = rangesOf(groups);
  return groups.some((group, index) => {
    const range = ranges[index] as RowRange;
    if (range.rowStart < rowStart || range.rowEnd > rowEnd) return false;
    const column = columnOf(group, name);
    return column !== undefined && column.num_values > (column.statistics?.null_count ?? 0n);
  });
}

function unreadable(path: string, cause: unknown): RunError {
  const isSystemError = cause instanceof Error && "code" in cause;
  const why = isSystemError ? fileFault(cause) : `it is damaged or cut off (${fileFault(cause)})`;
  return new RunError("unreadable", `cannot read ${path}: ${why}`, { cause });
}

function bufferOf(path: string): Promise<AsyncBuffer> {
  requireFile(path);
  return asyncBufferFromFile(path);
}

/** The number of calls in a file, from its footer. Rejects with `unreadable` for a damaged file. */
export async function countSamples(path: string): Promise<number> {
  try {
    const { num_rows: rows } = await parquetMetadataAsync(await bufferOf(path));
    return Number(rows);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

type Values = ArrayLike<number | bigint | string | null>;
type ReadArray = Uint8Array | Uint32Array | Float64Array;
type Take = (values: Values, at: number) => void;

/** Writes numbers from index `at`, NaN for null. */
function fill(column: ReadArray): Take {
  return (values, at) => {
    if (values instanceof BigInt64Array) {
      // Converts 64-bit integers from two halves, because making a bigint of each would take longer than all the rest.
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

/** Indexes of words in a list. @param indexOfWord is called once for each change of the word. */
function fillIndices(column: ReadArray, indexOfWord: (word: string, row: number) => number): Take {
  return (values, at) => {
    let last: unknown;
    let index = 0;
    for (let row = 0; row < values.length; row += 1) {
      const word = values[row];
      if (word !== last) index = indexOfWord(String(word), at + row);
      last = word;
      column[at + row] = index;
    }
  };
}

/** Memory for the columns of the largest part: each part reuses that of the one before. */
class ColumnMemory {
  readonly #rows: number;
  readonly #made = new Map<string, ReadArray>();

  constructor(rows: number) {
    this.#rows = rows;
  }

  of({ name, kind }: NamedColumn, length: number): ReadArray {
    const made = this.#made.get(name) ?? new columnKinds[kind].read(this.#rows);
    this.#made.set(name, made);
    return made.subarray(0, length);
  }
}

interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  /** The arms of the run: rows refer to them by index. */
  readonly armIds: readonly string[];
}

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
        // The reader would ignore an error here.
        fault ??= thrown as Error;
      }
    };
    for (const group of groupsIn(metadata, this.#range)) {
      await parquetRead({ file, metadata, columns: [column], ...group, onChunk });
      if (fault !== undefined) throw fault;
    }
  }

  /** Finds the index of an arm. Throws for an arm that is not in the run. */
  #armOf(): (id: string, row: number) => number {
    const armOf = new Map(this.#opened.armIds.map((id, index) => [id, index]));
    return (id, row) => {
      const known = armOf.get(id);
      if (known !== undefined) return known;
      throw new Error(`row ${this.#range.rowStart + row} belongs to the unknown arm "${id}"`);
    };
  }

  /** Rejects for an arm that is not in the run. */
  async samples(): Promise<Samples> {
    const outcomes: string[] = [];
    const outcomeOf = (word: string): number => {
      const known = outcomes.indexOf(word);
      return known === -1 ? outcomes.push(word) - 1 : known;
    };
    const indexOf = { arm: this.#armOf(), outcome: outcomeOf };
    const read: [string, ReadArray][] = [];
    for (const column of namedColumns) {
      const { name, kind, readAs, missing } = column;
      // Most runs have no value in such a column, and older ones may not have the column.
      if (missing === "null" && !hasValues(this.#opened.metadata, name, this.#range)) continue;
      const into = this.#memory.of(column, this.#length);
      const isWord = kind === "arm" || kind === "outcome";
      await this.#read(name, isWord ? fillIndices(into, indexOf[kind]) : fill(into));
      read.push([readAs, into]);
    }
    return { length: this.#length, outcomes, ...(Object.fromEntries(read) as unknown as ReadColumns) };
  }
}

async function open(path: string, armIds: readonly string[]): Promise<OpenFile> {
  const file = await bufferOf(path);
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

/** As {@link readSamples}, in parts of whole rounds, in order. Each is valid until the next is read. A file with mixed rounds is one part. */
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
