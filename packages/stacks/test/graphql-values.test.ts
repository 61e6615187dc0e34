// Every kind of value that protobuf has crosses GraphQL unchanged, or is refused if GraphQL cannot express it.
import { create, fromJsonString, type Message } from "@bufbuild/protobuf";
import { anyPack, StringValueSchema } from "@bufbuild/protobuf/wkt";
import type { Client, Contract } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { connectDefaults, loadConnect, loadServe, type RunningServer, serveDefaults } from "../src/index.ts";
import { caught, graphqlStack, pairOf } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { library } from "./support/library.ts";

/** A service whose every operation answers its own request. */
function echo(contract: Contract) {
  return serviceOf(contract, new Map(contract.operations.map(({ id }) => [id, (request: Message) => request])));
}

const maps = compileContract(`
  syntax = "proto2";
  package maps.v1;
  import "google/protobuf/struct.proto";
  import "google/protobuf/wrappers.proto";
  service Maps { rpc PutAll(All) returns (All); }
  message Leaf { optional int32 n = 1 [default = 7]; required string r = 2; }
  enum Size { SIZE_UNSPECIFIED = 0; SIZE_S = 1; SIZE_L = 2; }
  message All {
    map<int32, string> by_int = 1;
    map<bool, Leaf> by_bool = 2;
    map<uint64, bytes> by_long = 3;
    map<string, Size> sizes = 4;
    optional Size size = 5;
    repeated Size many = 6;
    repeated google.protobuf.Int64Value longs = 7;
    oneof pick { google.protobuf.StringValue text = 8; Leaf leaf = 9; bool flag = 10; }
    optional google.protobuf.ListValue list = 11;
    optional string constructor = 12;
    repeated uint32 counts = 13;
    optional fixed32 unsigned = 14 [default = 3];
    optional int64 as_text = 15 [jstype = JS_STRING];
  }
`);

let server: RunningServer;
let client: Client;
let mapsClient: Client;

beforeAll(async () => {
  const serve = await loadServe(graphqlStack);
  const connect = await loadConnect(graphqlStack);
  server = await serve(echo(library), serveDefaults);
  client = await connect(library, { ...connectDefaults, url: server.url });
  const mapsServer = await serve(echo(maps), serveDefaults);
  mapsClient = await connect(maps, { ...connectDefaults, url: mapsServer.url });
  return async () => {
    await Promise.all([client.close(), mapsClient.close()]);
    await Promise.all([server.close(), mapsServer.close()]);
  };
});

const put = library.operation("library.v1.Library.Put");
const read = library.operation("library.v1.Library.Read");
const putAll = maps.operation("maps.v1.Maps.PutAll");

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const text = fc.string({ unit: "grapheme" });
const real = fc.double();
const nested = fc.record({
  number: int32,
  someText: text,
  colours: fc.array(fc.constantFrom(0, 1, 2), { maxLength: 3 }),
});
test("maps of every key, proto2 presence and names that JavaScript keeps come back equal", async () => {
  const invoke = mapsClient.prepare(putAll);
  const inits: readonly object[] = [
    {},
    {
      byInt: { "-1": "minus", 7: "" },
      byBool: { true: { r: "set", n: 0 }, false: { r: "" } },
      byLong: { "18446744073709551615": new Uint8Array([0, 255]) },
      sizes: { small: 1, none: 0 },
      size: 2,
      many: [2, 0, 1],
      longs: [{ value: 2n ** 60n }, { value: 0n }],
      pick: { case: "text", value: { value: "" } },
      constructor$: "c",
      counts: [0, 2 ** 32 - 1],
      unsigned: 0,
      asText: "9007199254740993",
    },
    { pick: { case: "leaf", value: { r: "x" } } },
    { pick: { case: "flag", value: false } },
  ];
  for (const init of inits) {
    const sent = create(putAll.input, { ...init });
    const got = await invoke(sent);
    expect(got).toStrictEqual(sent);
  }
});

test("Any travels as JSON when the contract knows its type", async () => {
  const invoke = client.prepare(read);
  const anything = anyPack(StringValueSchema, create(StringValueSchema, { value: "inside" }));
  const sent = create(read.input, { anything });
  expect(await invoke(sent)).toStrictEqual(sent);
  const unknown = create(read.input, { anything: { typeUrl: "type.googleapis.com/no.Such", value: new Uint8Array() } });
  expect((await caught(invoke(unknown))).code).toBe("INVALID_ARGUMENT");
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0])(
  "%d comes back as it is, as a double, as a float and as the literal that people write",
  async (value) => {
    const sent = create(put.input, { real: value, smallReal: value });
    expect(await client.prepare(put)(sent)).toStrictEqual(sent);
    const literal = Number.isFinite(value) ? "-0.0" : JSON.stringify(String(value));
    const { data } = await graphqlPost(server, { query: `mutation { put(input: { real: ${literal} }) { real } }` });
    const { real: back } = (data as { readonly put: { readonly real: unknown } }).put;
    expect(back).toBe(Number.isFinite(value) ? -0 : String(value));
  },
);

test("enum numbers without a name are refused", async () => {
  expect((await caught(client.prepare(put)(create(put.input, { colour: 9 })))).code).toBe("INVALID_ARGUMENT");
});

test("an answer that GraphQL cannot carry is the server's fault, and reveals nothing of its inside", async () => {
  const faulty = serviceOf(library, new Map([[put.id, () => create(put.output, { colour: 9, text: "x" })]]));
  const { client: caller } = await pairOf(graphqlStack, faulty);
  const error = await caught(caller.prepare(put)(create(put.input)));
  expect([error.code, error.message]).toEqual(["INTERNAL", "internal error"]);
});

test.each([
  { field: "big", value: "9223372036854775808" },
  { field: "big", value: 2 ** 63 },
  { field: "big", value: "0x10" },
  { field: "unsignedBig", value: "-1" },
  { field: "data", value: "***" },
  { field: "at", value: "yesterday" },
  { field: "lasts", value: "5 minutes" },
  { field: "colour", value: "COLOUR_UNSPECIFIED" },
  { field: "maybe", value: 2 ** 31 },
  { field: "real", value: "0x10" },
  { field: "smallReal", value: 1e39 },
  { field: "text", value: "half a pair: \uD83D" },
])("$field: $value is refused as the caller's fault", async ({ field, value }) => {
  const query = "mutation m($input: EverythingInput!) { put(input: $input) { text } }";
  const { errors } = await graphqlPost(server, { query, variables: { input: { [field]: value } } });
  expect(errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
});

test("null is the same as absent", async () => {
  const query =
    "mutation m($input: EverythingInput!) { put(input: $input) { choice { __typename } nested { number } text } }";
  const input = { choice: null, nested: null, text: null };
  const { data } = await graphqlPost(server, { query, variables: { input } });
  expect(data).toEqual({ put: { choice: null, nested: null, text: "" } });
});

test("a message may have a field that promises have, too", async () => {
  const contract = compileContract(`
    syntax = "proto3";
    package then.v1;
    service Steps { rpc PutSteps(Steps_) returns (Steps_); }
    message Steps_ { string then = 1; Step first = 2; repeated Step more = 3; }
    message Step { string then = 1; string catch = 2; }
  `);
  const { client: caller } = await pairOf(graphqlStack, echo(contract));
  const operation = contract.operation("then.v1.Steps.PutSteps");
  const json = '{"then":"now","first":{"then":"one"},"more":[{"then":"two","catch":"it"},{}]}';
  const request = fromJsonString(operation.input, json);
  expect(await caller.prepare(operation)(request)).toStrictEqual(request);
});
