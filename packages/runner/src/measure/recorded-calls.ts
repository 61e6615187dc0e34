// The calls of one block as a client records them: one column per entry of `callColumns` that a client knows.
import {
  columnKinds,
  namedColumns,
  type ColumnsFrom,
  type KindOf,
  type RecordedName,
} from "@roundtrip/analysis/call-columns";

type ArrayOf<Constructor> = Constructor extends { readonly prototype: infer Column } ? Column : never;

/**
 * One row per call. Times are milliseconds of the client's `performance.now()`, outcomes index the block's list (0 is OK), NaN is a missing value.
 */
export type RecordedCalls = {
  readonly [Name in ColumnsFrom<"client"> as RecordedName<Name>]: ArrayOf<KindOf<Name>["recorded"]>;
};

/** The columns in which only some calls have a value: NaN in a blank row. */
export const partialColumns = namedColumns.flatMap(({ recordedAs, missing }) =>
  missing === undefined ? [] : [recordedAs as keyof RecordedCalls],
);

export function blankCalls(length: number): RecordedCalls {
  const columns = namedColumns.flatMap(({ kind, recordedAs, source }) => {
    const Column = columnKinds[kind].recorded;
    return source === "runner" || Column === null ? [] : [[recordedAs, new Column(length)] as const];
  });
  const calls = Object.fromEntries(columns) as unknown as RecordedCalls;
  for (const name of partialColumns) calls[name].fill(Number.NaN);
  return calls;
}

export function copyOfCalls(calls: RecordedCalls, length: number): RecordedCalls {
  const columns = Object.entries(calls).map(([name, column]) => [name, column.slice(0, length)]);
  return Object.fromEntries(columns);
}
