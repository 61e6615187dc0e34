// The columns of a run's calls, declared once: as the client records them, as samples.parquet has them, and as analysis reads them. This file imports
// nothing, because measured processes load it.

/** `recorded`: by the client; null where it does not know the value. `written`: in samples.parquet. `read`: by analysis. */
export const columnKinds = {
  /** An arm: its id in the file, its index in the run when read. */
  arm: { recorded: null, written: "STRING", read: Uint32Array },
  /** 0-based. */
  number: { recorded: Uint32Array, written: "INT32", read: Uint32Array },
  /** How a call ended: text in the file, otherwise an index into a list. */
  outcome: { recorded: Uint8Array, written: "STRING", read: Uint8Array },
  /** Milliseconds of the client's clock when recorded, then nanoseconds since the run's start. */
  instant: { recorded: Float64Array, written: "INT64", read: Float64Array },
  /** Milliseconds when recorded, then nanoseconds. */
  duration: { recorded: Float64Array, written: "INT64", read: Float64Array },
  count: { recorded: Float64Array, written: "INT32", read: Float64Array },
} as const;

type Kind = keyof typeof columnKinds;

/** The value for calls that have none. A client records NaN for them, so the kind must support NaN. */
type Missing =
  | {
      readonly kind: "instant" | "duration" | "count";
      /** `null`: null in the file, NaN when read. Otherwise the value of that column. Absent where every call has a value. */
      readonly missing?: "null" | "startedAtNs";
    }
  | { readonly kind: Exclude<Kind, "instant" | "duration" | "count">; readonly missing?: never };

export type CallColumn = Missing & {
  /** `client`: recorded for each call. `runner`: the same for all calls of a block. */
  readonly source: "client" | "runner";
  readonly readAs?: string;
  readonly unit?: "ns" | "bytes";
  readonly meaning: string;
};

/** By name in samples.parquet, in file order. */
export const callColumns = {
  armId: { kind: "arm", source: "runner", readAs: "arm", meaning: "the arm that made the call" },
  round: { kind: "number", source: "runner", meaning: "the round" },
  block: { kind: "number", source: "runner", meaning: "the block in its round" },
  index: { kind: "number", source: "client", readAs: "task", meaning: "the task in its block" },
  step: { kind: "number", source: "client", meaning: "the call in its task" },
  intendedAtNs: {
    kind: "instant",
    source: "client",
    missing: "startedAtNs",
    unit: "ns",
    meaning: "when the call was due; without a schedule, when it started",
  },
  startedAtNs: { kind: "instant", source: "client", unit: "ns", meaning: "when the call started" },
  endedAtNs: { kind: "instant", source: "client", unit: "ns", meaning: "when the call ended" },
  outcome: { kind: "outcome", source: "client", meaning: "`OK`, a canonical code, or `NOT_SENT`" },
  requestBytes: {
    kind: "count",
    source: "client",
    unit: "bytes",
    meaning: "bytes that the client's sockets sent since the previous row",
  },
  responseBytes: {
    kind: "count",
    source: "client",
    unit: "bytes",
    meaning: "bytes that the client's sockets received since the previous row",
  },
  firstByteAtNs: {
    kind: "instant",
    source: "client",
    missing: "null",
    unit: "ns",
    meaning: "when the first message of a stream of answers arrived",
  },
  pauses: {
    kind: "count",
    source: "client",
    missing: "null",
    meaning:
      "how often a stream of answers paused for longer than its plan's limit (with a network: half a round trip)",
  },
  queueNs: {
    kind: "duration",
    source: "client",
    missing: "null",
    unit: "ns",
    meaning: "how long the call waited in its server, if the answer reports it",
  },
  serviceNs: {
    kind: "duration",
    source: "client",
    missing: "null",
    unit: "ns",
    meaning: "how long its server worked on the call, if the answer reports it",
  },
} as const satisfies Readonly<Record<string, CallColumn>>;

type Columns = typeof callColumns;

export type CallColumnName = keyof Columns;

export type ColumnsFrom<Source extends CallColumn["source"]> = {
  [Name in CallColumnName]: Columns[Name]["source"] extends Source ? Name : never;
}[CallColumnName];

export type OptionalColumns = {
  [Name in CallColumnName]: Columns[Name] extends { readonly missing: "null" } ? Name : never;
}[CallColumnName];

export type KindOf<Name extends CallColumnName> = (typeof columnKinds)[Columns[Name]["kind"]];

export type ReadName<Name extends CallColumnName> = Columns[Name] extends {
  readonly readAs: infer Other extends string;
}
  ? Other
  : Name;

/** A column's name when recorded, with times in milliseconds. */
export type RecordedName<Name extends CallColumnName> =
  ReadName<Name> extends `${infer Quantity}Ns` ? `${Quantity}Ms` : ReadName<Name>;

type ReadArray<Name extends CallColumnName> = KindOf<Name>["read"]["prototype"];

/** The columns as analysis reads them. An optional column is absent where no call has a value. */
export type ReadColumns = {
  readonly [Name in Exclude<CallColumnName, OptionalColumns> as ReadName<Name>]: ReadArray<Name>;
} & { readonly [Name in OptionalColumns as ReadName<Name>]?: ReadArray<Name> };

/** A column with its name in each representation. */
export type NamedColumn = CallColumn & {
  readonly name: CallColumnName;
  readonly readAs: string;
  readonly recordedAs: string;
};

export const namedColumns: readonly NamedColumn[] = Object.entries<CallColumn>(callColumns).map(([name, column]) => {
  const { readAs = name } = column;
  return { ...column, name: name as CallColumnName, readAs, recordedAs: readAs.replace(/Ns$/, "Ms") };
});

type ArrayOf<Constructor> = Constructor extends { readonly prototype: infer Column } ? Column : never;

/** One row per call. Times are milliseconds of the client's `performance.now()`, outcomes index the block's list (0 is OK), NaN is missing. */
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
