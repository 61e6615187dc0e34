// Requests in logs: what the client of each style sends is read back as the call that it made.
import { create, toJson } from "@bufbuild/protobuf";
import type { Client, Contract, Operation } from "@roundtrip/contract";
import { exampleRequests } from "@roundtrip/fakes/parts";
import { openCapture, type Capture } from "@roundtrip/runner/parts";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { loadLoggedCalls, type LoggedCall, type LoggedRequest } from "@roundtrip/styles";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract: Contract = compileContract(`syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/protobuf/field_mask.proto";
service Shop {
  rpc GetThing(GetThingRequest) returns (Thing) {
    option idempotency_level = NO_SIDE_EFFECTS;
    option (google.api.http) = { get: "/v1/{name=shops/*/things/*}" };
  }
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse) { option (google.api.http) = { get: "/v1/things" }; }
  rpc CreateThing(CreateThingRequest) returns (Thing) { option (google.api.http) = { post: "/v1/{parent=shops/*}/things" body: "thing" }; }
  rpc Rate(Thing) returns (Thing);
  rpc Watch(ListThingsRequest) returns (stream Thing) { option (google.api.http) = { get: "/v1/things:watch" }; }
}
message Thing { string name = 1; int64 stock = 2; repeated string tags = 3; map<string, double> prices = 4; }
message GetThingRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message ListThingsRequest { int32 page_size = 1; string filter = 2; repeated string tags = 3; }
message ListThingsResponse { repeated Thing things = 1; }
message CreateThingRequest { string parent = 1; Thing thing = 2; }
`);

const unary = contract.operations.filter(({ kind }) => kind === "unary");

/** The stack that speaks the style over HTTP/1.1. */
const stacks = {
  connect: "connect-node+fetch",
  graphql: "graphql-apollo",
  "json-rpc": "json-rpc-node-http",
  rest: "rest-express",
  soap: "soap-node-http",
} as const;

let capture: Capture;
beforeAll(async () => {
  capture = await openCapture();
});
afterAll(() => capture[Symbol.asyncDispose]());

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function sent(client: Client, called: Operation): Promise<LoggedRequest> {
  const request = exampleRequests(contract)(called, true);
  const { method, path, headers, body } = await capture.requestOf(() => client.prepare(called)(request, {}));
  return {
    method,
    target: path,
    mediaType: headers["content-type"]?.split(";")[0] ?? "",
    body: body.length === 0 ? undefined : body,
  };
}

async function read(style: string, request: LoggedRequest): Promise<readonly LoggedCall[]> {
  const made = await loadLoggedCalls(style);
  return (await made?.(contract)(request)) ?? [];
}

const jsonOf = (called: Operation, request: LoggedCall["request"]) =>
  toJson(called.input, request ?? create(called.input));

describe.each(Object.entries(stacks))("requests of the style %s", (style, stack) => {
  it("are read as the calls that its client made, with whole requests", async () => {
    const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url: capture.origin });
    clients.push(client);
    for (const called of unary) {
      // oxlint-disable-next-line no-await-in-loop -- calls that are captured must not overlap
      const [call, ...others] = await read(style, await sent(client, called));
      expect(others).toEqual([]);
      expect(call).toMatchObject({ operation: called, isWhole: true });
      const expected = exampleRequests(contract)(called, true);
      // GraphQL selects fields: its mask is the selection.
      const [mine, theirs] = [jsonOf(called, call?.request), jsonOf(called, expected)].map((json) => ({
        ...(json as object),
        ...(style === "graphql" ? { readMask: "" } : {}),
      }));
      expect(mine).toEqual(theirs);
    }
  });

  it("are not read at a path that the contract does not have", async () => {
    const request = { method: "GET", target: "/favicon.ico", mediaType: "", body: undefined };
    expect(await read(style, request)).toEqual([]);
  });
});

const body = (document: object): LoggedRequest => ({
  method: "POST",
  target: "/graphql",
  mediaType: "application/json",
  body: Buffer.from(JSON.stringify(document)),
});

describe("a GraphQL document in a log", () => {
  it("is a call for each of its fields, with variables and the selection as mask", async () => {
    const query = "query ($n: String!) { one: thing(name: $n) { stock } things(pageSize: 2) { things { name } } }";
    const calls = await read("graphql", body({ query, variables: { n: "shops/1/things/2" } }));
    expect(calls.map((call) => [call.operation.method.name, jsonOf(call.operation, call.request)])).toEqual([
      ["GetThing", { name: "shops/1/things/2", readMask: "stock" }],
      ["ListThings", { pageSize: 2 }],
    ]);
  });

  it.each([
    ["a field that there is not", { query: "{ thong { name } }" }, "thong"],
    ["no document", { variables: {} }, "no query"],
    ["broken text", { query: "{" }, "Syntax Error"],
  ])("with %s is refused with the reason", async (_, document, reason) => {
    await expect(read("graphql", body(document))).rejects.toThrow(reason);
  });
});
