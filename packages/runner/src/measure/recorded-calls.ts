// The calls of one block as a client records them: a column for each of `callColumns` that a client knows.
import {
  columnKinds,
  namedColumns,
  type ColumnsFrom,
  type KindOf,
  type RecordedName,
} from "@roundtrip/analysis/call-columns";

type ArrayOf<Constructor> = Constructor extends { readonly prototype: infer Column } ? Column : never;

/**
 * One row for each call. Times are milliseconds of `performance.now()` in the client, outcomes are indexes into the block's, where 0 is OK, and a column
 * has NaN for a call without a value.
 */
export type RecordedCalls = {
  readonly [Name in ColumnsFrom<"client"> as RecordedName<Name>]: ArrayOf<KindOf<Name>["recorded"]>;
};

/** The columns that only some calls have a value in: NaN in a blank row. */
export const partialColumns = namedColumns.flatMap(({ recordedAs, missing }) =>
  missing === undefined ? [] : [recordedAs as keyof RecordedCalls],
);

/** Rows without any value. */
export function blankCalls(length: number): RecordedCalls {
  const columns = namedColumns.flatMap(({ kind, recordedAs, source }) => {
    const Column = columnKinds[kind].recorded;
    return source === "runner" || Column === null ? [] : [[recordedAs, new Column(length)] as const];
  });
  const calls = Object.fromEntries(columns) as unknown as RecordedCalls;
  for (const name of partialColumns) calls[name].fill(Number.NaN);
  return calls;
}

/** Copies of the first rows. */
export function copyOfCalls(calls: RecordedCalls, length: number): RecordedCalls {
  const columns = Object.entries(calls).map(([name, column]) => [name, column.slice(0, length)]);
  return Object.fromEntries(columns);
}
