// Reads from the footer of a Parquet file which row groups contain whole rounds, and whether a column has values there.
import type { ColumnMetaData, FileMetaData, RowGroup } from "hyparquet";

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
export function roundParts({ row_groups: groups }: FileMetaData): readonly RowRange[] {
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

export function groupsIn({ row_groups: groups }: FileMetaData, { rowStart, rowEnd }: RowRange): readonly RowRange[] {
  return rangesOf(groups).filter((range) => range.rowStart >= rowStart && range.rowEnd <= rowEnd);
}

/** Whether any row of a part has a value in a column; false if there is no such column, true if the footer has no statistics. */
export function hasValues({ row_groups: groups }: FileMetaData, name: string, { rowStart, rowEnd }: RowRange): boolean {
  const ranges = rangesOf(groups);
  return groups.some((group, index) => {
    const range = ranges[index] as RowRange;
    if (range.rowStart < rowStart || range.rowEnd > rowEnd) return false;
    const column = columnOf(group, name);
    return column !== undefined && column.num_values > (column.statistics?.null_count ?? 0n);
  });
}
