// Path variables of every type over a real server.
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { caught, pairOf, restStack, echoService } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";

const types = `
  enum Kind { KIND_UNSPECIFIED = 0; KIND_A = 1; }
  message In { string id = 1; optional int32 maybe = 2; In in = 3; oneof way { string left = 4; string right = 5; } }
  message Q {
    string text = 1; int32 int32 = 2; sint64 sint64 = 3; uint64 uint64 = 4; fixed32 fixed32 = 5;
    bool flag = 6; double ratio = 7; float share = 8; bytes blob = 9; Kind kind = 10;
    google.protobuf.StringValue string_value = 11; google.protobuf.Int64Value int64_value = 12;
    google.protobuf.BoolValue bool_value = 13; google.protobuf.BytesValue bytes_value = 14;
    google.protobuf.DoubleValue double_value = 15; google.protobuf.Timestamp time = 16;
    google.protobuf.Duration span = 17; google.protobuf.FieldMask mask = 18;
    optional string maybe_text = 19; optional int32 maybe_int = 20; In in = 21;
    oneof pick { string x = 22; int32 y = 23; In z = 24; }
  }
`;
const imports = ["duration", "field_mask", "timestamp", "wrappers"]
  .map((name) => `import "google/protobuf/${name}.proto";`)
  .join("\n");

/** A contract whose methods `M0`, `M1` and so on have these rules. */
function contractOf(rules: readonly string[]): Contract {
  const methods = rules.map((rule, index) => `rpc M${index}(Q) returns (Q) { option (google.api.http) = {${rule}}; }`);
  return compileContract(`syntax = "proto3"; package paths.v1; import "google/api/annotations.proto";
    ${imports} ${types} service Paths { ${methods.join("\n")} }`);
}

interface Row {
  readonly variable: string;
  readonly request: JsonObject;
  readonly path: string;
}

const row = (variable: string, value: JsonValue, path: string, name = variable.replace(/=.*/, "")): Row => ({
  variable,
  request: name.split(".").reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), value) as JsonObject,
  path,
});

const spelled: readonly Row[] = [
  row("text", "a b/ü%?#", "a%20b%2F%C3%BC%25%3F%23"),
  row("text", "...", "..."),
  row("text=things/*", "things/a b", "things/a%20b"),
  row("text=**", "a/b/c", "a/b/c"),
  row("int32", -7, "-7"),
  row("int32", 0, "0"),
  row("sint64", "-9007199254740993", "-9007199254740993"),
  row("uint64", "18446744073709551615", "18446744073709551615"),
  row("fixed32", 4_294_967_295, "4294967295"),
  row("flag", true, "true"),
  row("flag", false, "false"),
  row("ratio", 1.5e-300, "1.5e-300"),
  row("ratio", "-Infinity", "-Infinity"),
  row("ratio", "NaN", "NaN"),
  row("share", 1.5, "1.5"),
  row("blob", "+/8=", "%2B%2F8%3D"),
  row("kind", "KIND_A", "KIND_A"),
  row("kind", "KIND_UNSPECIFIED", "KIND_UNSPECIFIED"),
  row("kind", 9, "9"),
  row("string_value", "text", "text"),
  row("int64_value", "0", "0"),
  row("bool_value", false, "false"),
  row("bytes_value", "AQI=", "AQI%3D"),
  row("double_value", "Infinity", "Infinity"),
  row("time", "2024-01-02T03:04:05.000000006Z", "2024-01-02T03%3A04%3A05.000000006Z"),
  row("span", "-1.500s", "-1.500s"),
  row("mask", "text,in.maybe", "text,in.maybe"),
  row("maybe_text", "x", "x"),
  row("maybe_int", 0, "0"),
  row("in.in.id", "deep", "deep"),
  row("in.maybe", 0, "0"),
  row("in.left", "l", "l"),
  row("x", "x", "x"),
  row("y", 0, "0"),
  row("z.id", "z", "z"),
];

describe("a path spells", () => {
  const contract = contractOf(spelled.map(({ variable }, index) => `get: "/t${index}/{${variable}}"`));
  test.for(spelled.map((each, index) => ({ ...each, index })))(
    "$variable as $path",
    async ({ index, request, path }) => {
      const operation = contract.operation(`paths.v1.Paths.M${index}`);
      const { server, client } = await pairOf(restStack, echoService(contract));
      const message = fromJson(operation.input, request);
      expect(await client.prepare(operation)(message)).toEqual(message);
      const answer = await fetch(new URL(`/t${index}/${path}`, server.url));
      expect([answer.status, fromJson(operation.input, (await answer.json()) as JsonValue)]).toEqual([200, message]);
    },
  );
});

describe("a client refuses a value that a path cannot spell", () => {
  const unset: Readonly<Record<string, string>> = {
    text: "cannot be empty",
    blob: "cannot be empty",
    string_value: "must be set",
    int64_value: "must be set",
    time: "must be set",
    span: "must be set",
    mask: "must be set",
    maybe_text: "must be set",
    maybe_int: "must be set",
    "in.id": "cannot be empty",
    "in.maybe": "must be set",
    y: "must be set",
  };
  const rows: readonly (readonly [string, JsonObject, string])[] = [
    ...Object.entries(unset).map(([variable, why]) => [variable, {}, why] as const),
    ["text=a/*", { text: "b/c" }, "must be like the path"],
    ["mask", { mask: "" }, "cannot be empty"],
  ];
  const contract = contractOf(rows.map(([variable], index) => `get: "/t${index}/{${variable}}"`));
  test.for(rows.map(([variable, request, why], index) => ({ variable, request, why, index })))(
    "$variable of $request",
    async ({ variable, request, why, index }) => {
      const operation = contract.operation(`paths.v1.Paths.M${index}`);
      const { client } = await pairOf(restStack, echoService(contract));
      const error = await caught(client.prepare(operation)(fromJson(operation.input, request)));
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(error.message).toContain(`${variable.replace(/=.*/, "")}: ${why}`);
    },
  );
});
