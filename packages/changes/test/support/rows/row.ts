// One row of the table of changes: a contract before and after, what callers send with it, and the verdict of each style.
import { type ChangeVerdict, changeVerdicts, type CheckedChange } from "../../../src/index.ts";
import type { Probes, TriedStyle, Words } from "./exchange.ts";
import type { JsonValue } from "@bufbuild/protobuf";

/** A message as ProtoJSON, or as a pair: in the words before and after, undefined where the contract after cannot say it. */
type Value = { readonly [name: string]: JsonValue } | readonly [before: JsonValue, after: JsonValue | undefined];

export interface Row {
  /**
   * The declarations of a .proto file, with an edition or syntax of its own or in proto3. They declare `M`, which is sent and received. What changes is
   * marked as `git diff --word-diff` does: `[-before-]` and `{+after+}`.
   */
  readonly contract: string;
  /** Ordinary values: of requests and answers, of one of them. */
  readonly both?: readonly Value[];
  readonly sent?: readonly Value[];
  readonly received?: readonly Value[];
  /** Values at the edge of a type, and new ones. */
  readonly edges?: readonly Value[];
  readonly sentEdges?: readonly Value[];
  readonly receivedEdges?: readonly Value[];
  /** Operations with another name after: both as `Service.Method`, after with a package if it is another one. */
  readonly moved?: Readonly<Record<string, string>>;
  /** Styles with a break that readers of others find, by the specification that the row names. */
  readonly specified?: readonly TriedStyle[];
  /**
   * The initials of safe, may break and breaks: for a request in a body by gRPC, REST, JSON-RPC, SOAP, GraphQL and Connect, for one in a query by
   * REST, and for an answer by the six; none for a direction without values, and no query for a service of its own.
   */
  readonly verdicts: string;
}

/** The declarations before the change. */
export function beforeOf({ contract }: Row): string {
  return contract.replaceAll(/\{\+.*?\+\}/gs, "").replaceAll(/\[-|-\]/g, "");
}

export function afterOf({ contract }: Row): string {
  return contract.replaceAll(/\[-.*?-\]/gs, "").replaceAll(/\{\+|\+\}/g, "");
}

export type Rows = Readonly<Record<string, Row>>;

function wordsOf(value: Value): Words {
  return Array.isArray(value)
    ? { before: value[0] as JsonValue, after: value[1] as JsonValue | undefined }
    : { before: value as JsonValue, after: value as JsonValue };
}

export function probesOf(row: Row, direction: "sent" | "received"): Probes {
  const edges = direction === "sent" ? row.sentEdges : row.receivedEdges;
  return {
    values: [...(row.both ?? []), ...(row[direction] ?? [])].map(wordsOf),
    edges: [...(row.edges ?? []), ...(edges ?? [])].map(wordsOf),
  };
}

export function movedIn({ moved = {} }: Row): Readonly<Record<string, string>> {
  const names = Object.entries(moved).map(([before, after]) => [
    `shop.v1.${before}`,
    after.startsWith("shop.") ? after : `shop.v1.${after}`,
  ]);
  return Object.fromEntries(names) as Readonly<Record<string, string>>;
}

const service = `
service Z {
  rpc Send(M) returns (Done) { option (google.api.http) = { post: "/v1/send" body: "*" }; }
  rpc Ask(M) returns (Done) { option (google.api.http) = { get: "/v1/ask" }; }
  rpc Receive(Nothing) returns (M) { option (google.api.http) = { post: "/v1/receive" body: "*" }; }
}
message Done { optional string id = 1; }
message Nothing { optional string id = 1; }
`;

const imports: readonly (readonly [name: string, file: string])[] = [
  ["google.api.field_behavior", "google/api/field_behavior.proto"],
  ["google.api.HttpBody", "google/api/httpbody.proto"],
  ["google.protobuf.Any", "google/protobuf/any.proto"],
  ["google.protobuf.Duration", "google/protobuf/duration.proto"],
  ["google.protobuf.Empty", "google/protobuf/empty.proto"],
  ["google.protobuf.Timestamp", "google/protobuf/timestamp.proto"],
  ["google.protobuf.FieldMask", "google/protobuf/field_mask.proto"],
  ["google.protobuf.Struct", "google/protobuf/struct.proto"],
  ["google.protobuf.Value", "google/protobuf/struct.proto"],
  ["google.protobuf.ListValue", "google/protobuf/struct.proto"],
  ["Value", "google/protobuf/wrappers.proto"],
  ["buf.validate", "buf/validate/validate.proto"],
];

/** The text of a .proto file with the row's declarations, and the service that sends and receives `M` unless they declare one. */
export function fileOf(declarations: string): string {
  const [, first = 'syntax = "proto3";', rest = ""] = /^\s*((?:syntax|edition)[^;]*;)?(.*)$/s.exec(declarations) ?? [];
  const own = /\bservice\b/.test(rest) ? "" : service;
  const used = new Set(imports.flatMap(([name, file]) => (rest.includes(name) ? [`import "${file}";`] : [])));
  const plain = first.startsWith("edition") ? own.replaceAll("optional ", "") : own;
  const owner = /^\s*package /m.test(rest) ? "" : "package shop.v1;";
  return [first, owner, 'import "google/api/annotations.proto";', ...used, plain, rest].join("\n");
}

/** Whether an experiment allows a verdict of `check`: what fails at the edge of a type may be called either. */
export function allows(tried: ChangeVerdict, verdict: ChangeVerdict): boolean {
  if (tried === "breaks") return verdict === "breaks";
  return tried === "may break" ? verdict !== "safe" : verdict !== "breaks";
}

/** The gravest verdict of a check on one style. */
export function worstOn(rows: readonly CheckedChange[], style: string): ChangeVerdict {
  const found = rows.map(({ styles }) => styles[style]?.verdict ?? "safe");
  return changeVerdicts.findLast((verdict) => found.includes(verdict)) ?? "safe";
}
