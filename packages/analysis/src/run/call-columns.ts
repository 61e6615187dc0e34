// The columns of a run's calls, declared once. What a client records, what stands in samples.parquet and what analysis reads are derived from here.
// This file imports nothing: a measured process loads it, and nothing else of analysis.

/**
 * How a column's values are represented. `recorded`: by the client that makes the calls; null where it does not know them. `written`: the type in
 * samples.parquet. `read`: by analysis.
 */
export const columnKinds = {
  /** An arm: its id in the file, its index in the run when read. */
  arm: { recorded: null, written: "STRING", read: Uint32Array },
  /** A 0-based number. */
  number: { recorded: Uint32Array, written: "INT32", read: Uint32Array },
  /** How a call ended: a word in the file, otherwise an index into a list of words. */
  outcome: { recorded: Uint8Array, written: "STRING", read: Uint8Array },
  /** Milliseconds of the client's clock when recorded, afterwards nanoseconds since the run's start. */
  instant: { recorded: Float64Array, written: "INT64", read: Float64Array },
  /** Milliseconds when recorded, afterwards nanoseconds. */
  duration: { recorded: Float64Array, written: "INT64", read: Float64Array },
  /** How many of something. */
  count: { recorded: Float64Array, written: "INT32", read: Float64Array },
} as const;

type Kind = keyof typeof columnKinds;

/** What a column may say of calls without a value. A client records NaN for them, so the kind needs to have it. */
type Missing =
  | {
      readonly kind: "instant" | "duration" | "count";
      /** What such a call has: null in the file and NaN when read, or what it has in another column. Absent where every call has a value. */
      readonly missing?: "null" | "startedAtNs";
    }
  | { readonly kind: Exclude<Kind, "instant" | "duration" | "count">; readonly missing?: never };

/** One column of the calls. */
export type CallColumn = Missing & {
  /** `client`: recorded for each call. `runner`: the same for all calls of a block. */
  readonly source: "client" | "runner";
  /** The column's name when read, where it differs from that in the file. */
  readonly readAs?: string;
  readonly unit?: "ns" | "bytes";
  /** For documents. */
  readonly meaning: string;
};

/** By their names in samples.parquet, in its order. */
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

/** The name of a column in samples.parquet. */
export type CallColumnName = keyof Columns;

/** The columns of a source. */
export type ColumnsFrom<Source extends CallColumn["source"]> = {
  [Name in CallColumnName]: Columns[Name]["source"] extends Source ? Name : never;
}[CallColumnName];

/** The columns in which a call may have no value. */
export type OptionalColumns = {
  [Name in CallColumnName]: Columns[Name] extends { readonly missing: "null" } ? Name : never;
}[CallColumnName];

/** How a column is represented. */
export type KindOf<Name extends CallColumnName> = (typeof columnKinds)[Columns[Name]["kind"]];

/** A column's name when read. */
export type ReadName<Name extends CallColumnName> = Columns[Name] extends {
  readonly readAs: infer Other extends string;
}
  ? Other
  : Name;

/** A column's name when recorded: times are milliseconds then. */
export type RecordedName<Name extends CallColumnName> =
  ReadName<Name> extends `${infer Quantity}Ns` ? `${Quantity}Ms` : ReadName<Name>;

type ReadArray<Name extends CallColumnName> = KindOf<Name>["read"]["prototype"];

/** The columns as analysis reads them. Those in which a call may have no value are absent where no call has one. */
export type ReadColumns = {
  readonly [Name in Exclude<CallColumnName, OptionalColumns> as ReadName<Name>]: ReadArray<Name>;
} & { readonly [Name in OptionalColumns as ReadName<Name>]?: ReadArray<Name> };

/** A column with its name in each representation. */
export type NamedColumn = CallColumn & {
  readonly name: CallColumnName;
  readonly readAs: string;
  readonly recordedAs: string;
};

/** All columns, in the order of the file. */
export const namedColumns: readonly NamedColumn[] = Object.entries<CallColumn>(callColumns).map(([name, column]) => {
  const { readAs = name } = column;
  return { ...column, name: name as CallColumnName, readAs, recordedAs: readAs.replace(/Ns$/, "Ms") };
});
