// Answers of REST: their JSON, and the Location of what they created.
import { create, equals } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { locationWriter, responseReader, responseWriter } from "../src/rest/response-codec.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { library } from "../../stacks/test/support/library.ts";

const shop = compileContract(`
syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/protobuf/empty.proto";

service Shop {
  rpc GetOrder(Order) returns (Order) { option (google.api.http) = {get: "/v1/shops/{shop}/orders/{id}"}; }
  rpc CreateOrder(Order) returns (Order) { option (google.api.http) = {post: "/v1/shops/{shop}/orders" body: "*"}; }
  rpc CloneOrder(Order) returns (Order) { option (google.api.http) = {post: "/v1/shops/{shop}/orders:clone" body: "*"}; }
  rpc GetReceipt(Receipt) returns (Receipt) { option (google.api.http) = {get: "/v1/receipts/{id}"}; }
  rpc SendReceipt(Receipt) returns (Order) { option (google.api.http) = {post: "/v1/receipts" body: "*"}; }
  rpc Search(Order) returns (Order) { option (google.api.http) = {post: "/v1/shops/{shop}/search" body: "*"}; }
  rpc Ask(Order) returns (Order) {
    option (google.api.http) = {post: "/v1/questions" body: "*"};
    option idempotency_level = NO_SIDE_EFFECTS;
  }
  rpc GetQuestion(Order) returns (Order) { option (google.api.http) = {get: "/v1/questions/{id}"}; }
  rpc ReplaceOrder(Order) returns (Order) { option (google.api.http) = {put: "/v1/questions" body: "*"}; }
  rpc GetBook(Book) returns (Book) { option (google.api.http) = {get: "/v1/{name=shelves/*/books/*}"}; }
  rpc CreateBook(NewBook) returns (Book) { option (google.api.http) = {post: "/v1/{parent=shelves/*}/books" body: "book"}; }
  rpc GetTag(TagName) returns (Tag) { option (google.api.http) = {get: "/v1/tags/{tag}"}; }
  rpc CreateTag(Tag) returns (Tag) { option (google.api.http) = {post: "/v1/tags" body: "*"}; }
}

message Order { string shop = 1; int64 id = 2; }
message Receipt { int64 id = 1; }
message Book { string name = 1; }
message NewBook { string parent = 1; Book book = 2; }
message TagName { string tag = 1; }
message Tag { string text = 1; }
`);

function locate(method: string, segments: readonly string[], answer: Record<string, unknown>): string | undefined {
  const operation = shop.operation(`shop.v1.Shop.${method}`);
  return locationWriter(shop, operation, operation.bindings[0])?.(segments, create(operation.output, answer));
}

describe("a created resource is one segment below its collection", () => {
  test.for([
    ["CreateOrder", ["v1", "shops", "a%2Fb", "orders"], { id: 7n }, "/v1/shops/a%2Fb/orders/7"],
    ["CreateBook", ["v1", "shelves", "1", "books"], { name: "shelves/1/books/2 3" }, "/v1/shelves/1/books/2%203"],
  ] as const)("%s", ([method, segments, answer, location]) => {
    expect(locate(method, segments, answer)).toBe(location);
  });

  test("and has no Location if the answer does not identify it", () => {
    expect(locate("CreateBook", ["v1", "shelves", "1", "books"], {})).toBeUndefined();
  });
});

describe("these are not creations", () => {
  test.for([
    ["a custom method", "CloneOrder"],
    ["what answers something else than the read below it", "SendReceipt"],
    ["what nothing reads", "Search"],
    ["what changes nothing", "Ask"],
    ["another HTTP method", "ReplaceOrder"],
    ["what a read finds by a field that the answer has not", "CreateTag"],
  ] as const)("%s", ([, method]) => {
    const operation = shop.operation(`shop.v1.Shop.${method}`);
    expect(locationWriter(shop, operation, operation.bindings[0])).toBeUndefined();
  });
});

test("a response with an Any of the contract's types is unchanged", () => {
  const operation = library.operation("library.v1.Library.Read");
  const binding = { ...operation.bindings[0], responseBody: "" };
  const { input: nested } = library.operation("library.v1.Library.Move");
  const any = operation.output.fields.find((field) => field.message?.typeName === "google.protobuf.Any");
  const response = create(operation.output, {
    [any?.localName ?? ""]: anyPack(nested, create(nested, { someText: "inside" })),
  });
  const text = responseWriter(library, operation, binding)(response) ?? "";
  expect(text).toContain('"inside"');
  expect(equals(operation.output, responseReader(library, operation, binding)(Buffer.from(text)), response)).toBe(true);
});
