// The table of changes: a contract before and after, what callers send with it, and the verdict of each style.
import { type ChangeVerdict, changeVerdicts, type CheckedChange } from "../../../src/index.ts";
import type { Probes, Words } from "./exchange.ts";
import type { JsonValue } from "@bufbuild/protobuf";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A row of the tables beside this file. It begins with its verdicts: the initials of safe, may break and breaks, for a request in a body by gRPC, REST,
 * JSON-RPC, SOAP, GraphQL and Connect, for one in a query by REST, and for an answer by the six; none for a direction without values, and no query for a
 * service of its own. Below are the declarations of a .proto file, with an edition or syntax of its own or in proto3. They declare `M`, which is sent and
 * received. What changes is marked as `git diff --word-diff` does: `[-before-]` and `{+after+}`. A line that begins with `rule` stands for an operation `Send`
 * with that HTTP rule, which takes `M` and answers `R`: of the file's `$messages` unless the row declares its own.
 */
export interface Row {
  readonly contract: string;
  readonly verdicts: string;
  /** By the first word of their lines: ordinary values in `both`, `sent` and `received`, those at the edge of a type and new ones in the others. */
  readonly values: ReadonlyMap<string, readonly Words[]>;
  /** Names of operations after, by those before: each with its service, after also with a package if it is another one. */
  readonly moved: Readonly<Record<string, string>>;
  /** Styles with a break that readers of others find, by the specification that the row names. */
  readonly specified: readonly string[];
}

/** A value in JSON, or as `BEFORE -> AFTER` in the words before and after: `none` where the contract after cannot say it. */
function wordsOf(text: string): Words {
  const [before = "", after = before] = text.split(" -> ");
  return {
    before: JSON.parse(before) as JsonValue,
    after: after === "none" ? undefined : (JSON.parse(after) as JsonValue),
  };
}

function rowOf(verdicts: string, lines: readonly string[]): Row {
  const values = new Map<string, readonly Words[]>();
  const moved: Record<string, string> = {};
  const declarations: string[] = [];
  let specified: readonly string[] = [];
  let rule: string | undefined;
  for (const line of lines) {
    const [, word = "", rest = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (/^(both|sent|received|edges|(sent|received)Edges)$/.test(word))
      values.set(word, rest.split(" | ").map(wordsOf));
    else if (word === "specified") specified = rest.split(" ");
    else if (word === "rule")
      rule = `service Z { rpc Send(M) returns (R) { option (google.api.http) = { ${rest} }; } }`;
    else if (word === "moved") {
      const [before = "", after = ""] = rest.split(" ");
      moved[`shop.v1.${before}`] = after.startsWith("shop.") ? after : `shop.v1.${after}`;
    } else declarations.push(line);
  }
  const own = declarations.length > 0 ? declarations : ["$messages"];
  const contract = [...(rule === undefined ? [] : [rule]), ...own].join("\n");
  return { contract, verdicts, values, moved, specified };
}

/** The rows of a table by their names. Lines that begin with `#` are comments, and those with `$name = ` say what `$name` stands for. */
function rowsIn(table: string): readonly (readonly [name: string, row: Row])[] {
  const names = new Map([...table.matchAll(/^(\$\w+) = (.*)$/gm)].map(([, name, text]) => [name, text]));
  const written = (text: string): string => text.replaceAll(/\$\w+/g, (name) => names.get(name) ?? name);
  const blocks = table
    .replaceAll(/^[#$].*\n/gm, "")
    .trim()
    .split(/\n(?=\S)/);
  return blocks.map((block) => {
    const [head = "", ...lines] = block.split(/\n */);
    const [, verdicts, name] = /^([SMB]+) +(.+)$/.exec(head) ?? [];
    if (verdicts === undefined || name === undefined) throw new Error(`no verdicts in "${head}"`);
    const row = rowOf(verdicts, lines.map(written));
    return [name, { ...row, contract: written(row.contract) }];
  });
}

export function everyRow(): readonly (readonly [name: string, row: Row])[] {
  const tables = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"));
  return tables.flatMap((name) => rowsIn(readFileSync(join(import.meta.dirname, name), "utf8")));
}

/** The declarations before the change. */
export function beforeOf({ contract }: Row): string {
  return contract.replaceAll(/\{\+.*?\+\}/gs, "").replaceAll(/\[-|-\]/g, "");
}

export function afterOf({ contract }: Row): string {
  return contract.replaceAll(/\[-.*?-\]/gs, "").replaceAll(/\{\+|\+\}/g, "");
}

export function probesOf({ values }: Row, direction: "sent" | "received"): Probes {
  return {
    values: ["both", direction].flatMap((word) => values.get(word) ?? []),
    edges: ["edges", `${direction}Edges`].flatMap((word) => values.get(word) ?? []),
  };
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
