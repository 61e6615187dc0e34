// The GraphQL schema of a contract: names, nullability, descriptions, the document, and the modules that it loads.
import { builtInContract } from "@roundtrip/contract";
import { buildSchema, lexicographicSortSchema, printSchema, validateSchema } from "graphql";
import { expect, test } from "vitest";
import { contractSchema } from "../src/graphql/schema/schema.ts";
import { edgesOf } from "../src/graphql/edges/edges.ts";
import { graphqlModel } from "../src/graphql/schema/model.ts";
import { style } from "../src/graphql/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { library } from "../../stacks/test/support/library.ts";
import { streamingContract } from "../../stacks/test/support/streaming-contract.ts";

const contract = builtInContract();
const streams = streamingContract();

async function sdl(of = contract): Promise<string> {
  const [document] = await style.documents(of);
  return document?.text ?? "";
}

const signature = (name: string, of = contract) => style.view(of.operation(name), of).signature;

test.each([
  ["HelloService.SayHello", "query sayHello(name: String!): SayHelloResult"],
  ["CustomerService.GetCustomer", "query customer(id: Int!): Customer"],
  ["CustomerService.ListCustomers", "query customers(pageSize: Int, pageToken: String): CustomerPage"],
  ["CustomerService.GetCustomerName", "query customerName(id: Int!): CustomerName"],
  ["CustomerService.CreateCustomer", "mutation createCustomer(input: CreateCustomerInput!): Customer!"],
  ["CustomerService.UpdateCustomer", "mutation updateCustomer(input: UpdateCustomerInput!): Customer!"],
  ["CustomerService.DeleteCustomer", "mutation deleteCustomer(input: DeleteCustomerInput!): Boolean!"],
  ["CustomerService.SetCustomerName", "mutation setCustomerName(input: SetCustomerNameInput!): CustomerName!"],
])("%s is %s", (name, expected) => {
  expect(signature(`roundtrip.v1.${name}`)).toBe(expected);
  expect(style.view(contract.operation(`roundtrip.v1.${name}`), contract).lost).toEqual([]);
});

const clashing = compileContract(`
  syntax = "proto3";
  package shop.v1;
  import "buf/validate/validate.proto";
  import "google/protobuf/empty.proto";
  service Shop {
    rpc GetItem(GetItemRequest) returns (GetItemResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
    rpc Item(Loop) returns (Query) { option idempotency_level = NO_SIDE_EFFECTS; }
    rpc GetVATNumber(google.protobuf.Empty) returns (google.protobuf.Empty) { option idempotency_level = NO_SIDE_EFFECTS; }
    rpc Store(.shop.v1.Item) returns (.shop.v1.Item);
    rpc Forget(google.protobuf.Empty) returns (google.protobuf.Empty);
  }
  service StockService { rpc Store(Loop) returns (Loop); }
  message Item { string id = 1 [(buf.validate.field).required = true]; Kind kind = 2; Truth truth = 5; message Part { int32 n = 1; } repeated Part parts = 3; map<string, Part> more = 4; }
  enum Kind { KIND_UNSPECIFIED = 0; KIND_NEW = 1; KIND_TRUE = 2; }
  enum Truth { false = 0; true = 1; maybe = 2; }
  message GetItemRequest { optional string id = 1 [(buf.validate.field).string.min_len = 1]; Ids ids = 2; }
  message Ids { repeated int64 ids = 1 [(buf.validate.field).repeated.min_items = 1]; }
  message GetItemResponse { Item item = 1; }
  message Query { string __odd = 1; string class = 2 [json_name = "@class"]; oneof one { int32 a = 3; Ids b = 4; } google.protobuf.Empty seen = 5; }
  message Loop { Loop loop = 1 [(buf.validate.field).required = true]; string name = 2 [(buf.validate.field).string.min_len = 1]; }
`);

test("names that are in use become longer ones, in the contract's order", async () => {
  expect(clashing.operations.map(({ id }) => signature(id, clashing))).toEqual([
    "query item(id: String, ids: IdsInput): GetItemResult",
    "query shopItem(loop: LoopInput, name: String!): ShopV1Query",
    "query vatNumber: Boolean",
    "mutation store(input: ItemInput!): Item!",
    "mutation forget: Boolean!",
    "mutation stockStore(input: LoopInput!): Loop!",
  ]);
  expect(await sdl(clashing)).toContain(`enum Kind {
  NEW
  TRUE
}

enum Truth {
  false_
  true_
  maybe
}`);
});

test.each([
  ["this project's contract", contract],
  ["a contract with fields of every kind", library],
  ["a contract full of clashes", clashing],
  ["a contract of streams without fields", streams],
])("the schema of %s is valid, and its document says all of it", async (_, of) => {
  const schema = contractSchema(edgesOf(graphqlModel(of)), () => ({ resolve: () => undefined }));
  expect(validateSchema(schema)).toEqual([]);
  const read = buildSchema(await sdl(of));
  expect(printSchema(lexicographicSortSchema(read))).toBe(printSchema(lexicographicSortSchema(schema)));
});

test("presence decides nullability in responses, the contract's rules decide it in requests", async () => {
  const text = await sdl(library);
  const type = /\ntype Everything \{\n([\s\S]*?)\n\}/.exec(text)?.[1];
  expect(type?.split("\n").map((line) => line.trim())).toEqual([
    "text: String!",
    "big: Int64!",
    "unsignedBig: UInt64!",
    "flag: Boolean!",
    "real: Double!",
    "smallReal: Double!",
    "data: Base64!",
    "colour: Colour",
    "maybe: Int",
    "words: [String!]!",
    "numbers: [Int64!]!",
    "nested: Nested",
    "wrappedText: String",
    "wrappedBig: Int64",
    "wrappedFlag: Boolean",
    "at: DateTime",
    "lasts: Duration",
    "mask: [String!]",
    "choice: EverythingChoice",
    "times: [DateTime!]!",
  ]);
  expect(text).toContain("input EverythingInput {\n  text: String\n");
  expect(await sdl()).toContain(
    'input CustomerInput {\n  """Identifies the customer, for example 1. At least 1."""\n  id: Int!\n',
  );
});

test("the document begins with its source and the root types, and has the contract's comments", async () => {
  const text = await sdl();
  expect(text).toMatch(/^# Made by Roundtrip from the contract's \.proto files: change those, not this one\.\n/);
  expect([...text.matchAll(/^(?:type|input) (\w+)/gm)].slice(0, 5).map(([, name]) => name)).toEqual([
    "Query",
    "Mutation",
    "Subscription",
    "Customer",
    "InvoicePage",
  ]);
  expect(text).toContain("Where to go on: nextPageToken of the page before. At most 100 characters.");
  expect(text).not.toMatch(/readMask|Request\b|Response\b/);
});

const payload = (name: string) => style.view(contract.operation(`roundtrip.v1.PayloadService.${name}`), contract);

test("declares what GraphQL cannot carry of each operation", () => {
  expect(style.view(library.operation("library.v1.Library.Put"), library).lost).toEqual(
    expect.arrayContaining([
      "Everything.colour: numbers that Colour does not name",
      expect.stringContaining("Nested inside Nested deeper than 5 times"),
    ]),
  );
  expect(style.view(streams.operation("test.Streams.ServerStream"), streams)).toEqual({
    signature: "subscription serverStream: Boolean!",
    lost: [],
  });
  expect(payload("Download").lost).toEqual([
    "DownloadResponse.data: bytes as they are; Base64 in JSON is a third more",
  ]);
  expect([payload("Upload").signature, payload("Upload").lost]).toEqual(["", ["the stream of requests"]]);
  for (const name of ["ClientStream", "BidiStream"]) {
    const view = style.view(streams.operation(`test.Streams.${name}`), streams);
    expect([view.signature, view.lost.length]).toEqual(["", 1]);
  }
  expect(style.limitations.map(({ feature }) => feature)).toEqual(["clientStream", "bidiStream"]);
});
