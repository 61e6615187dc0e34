// Made-up texts are plausible: they fit the names of their field and message, and references name existing resources.
import { ServerCall } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { generatedService } from "../../src/index.ts";
import { Draw } from "../../src/answers/draw.ts";
import { cities, greetings, reasons, sentences, textByName } from "../../src/answers/values/text-by-name.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const drawn = (name: string, owner: string): string => textByName(name, owner)(new Draw([1, 2, 3, 4]));

describe("a text", () => {
  test.each([
    ["message", "say_hello_response", greetings],
    ["message", "order_event", sentences],
    ["note", "delivery", sentences],
    ["error_reason", "payment", reasons],
    ["home_city", "address", cities],
  ] as const)("is one of a few in %s of %s", (name, owner, expected) => {
    expect(expected).toContain(drawn(name, owner));
  });

  test.each([
    ["name", "hello_request", /^\p{L}+$/u],
    ["holder_name", "card", /^\p{Lu}\S+ /u],
    ["host_name", "machine", /^[\w-]+(?:\.[\w-]+)+$/],
    ["message_ids", "publish_response", /^[0-9a-f-]{36}$/],
    ["file_sha256sum", "upload", /^[0-9a-f]{64}$/],
    ["capacity", "hall", /^[A-Z]\S* \S+$/],
    ["shape", "parcel", /^[A-Z]\S* \S+$/],
    ["bucket", "storage", /^[a-z-]+$/],
  ] as const)("has its usual form in %s of %s", (name, owner, look) => {
    expect(drawn(name, owner)).toMatch(look);
  });
});

/** A resource that requests name by its id, or by its name. @param key in its path */
function bookOf(key: "id" | "name"): ReturnType<typeof compileContract> {
  return compileContract(`syntax = "proto3";
package test.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
service Books { rpc GetBook(GetBookRequest) returns (Book) { option (google.api.http) = { get: "/v1/${key === "id" ? "books/{id}" : "{name=books/*}"}" }; } }
message GetBookRequest { string ${key} = 1; }
message Book {
  option (google.api.resource) = { type: "test.dev/Book" pattern: "books/{book}" };
  string ${key} = 1;
  ${key === "id" ? "string name = 2;" : ""}
}
`);
}

test.each([
  ["id", "7", /^(?!books\/)/],
  ["name", "books/7", /^books\/7$/],
] as const)("the name of a resource with the key %s", async (key, value, expected) => {
  const contract = bookOf(key);
  const operation = contract.operation("test.v1.Books.GetBook");
  const request = { $typeName: operation.input.typeName, [key]: value };
  const answer = await generatedService(contract, 1).call(operation, request, new ServerCall(undefined, new Map()));
  expect((answer as unknown as { readonly name: string }).name).toMatch(expected);
});

const library = compileContract(`syntax = "proto3";
package test.v1;
import "google/api/annotations.proto";
service Library {
  rpc GetShelf(GetShelfRequest) returns (Shelf) { option (google.api.http) = { get: "/v1/{name=halls/*/shelves/*}" }; }
  rpc CreateShelf(Shelf) returns (Shelf) { option (google.api.http) = { put: "/v1/{name=halls/*/shelves/*}" body: "*" }; }
  rpc ListShelfEditions(GetShelfRequest) returns (ListShelfEditionsResponse) { option (google.api.http) = { get: "/v1/{name=halls/*/shelves/*}:editions" }; }
  rpc FindReader(FindReaderRequest) returns (Reader) {}
}
message GetShelfRequest { string name = 1; }
message Shelf { string name = 1; string theme = 2; }
message ListShelfEditionsResponse { repeated Shelf shelves = 1; }
message FindReaderRequest { string nick = 1; }
message Reader { string favourite_shelf = 1; repeated string shelves = 2; }
`);

const call = (method: string, request: object): Promise<unknown> => {
  const operation = library.operation(`test.v1.Library.${method}`);
  const message = { $typeName: operation.input.typeName, ...request };
  return Promise.resolve(generatedService(library, 1).call(operation, message, new ServerCall(undefined, new Map())));
};

test("uses the names of existing resources in references, single and repeated", async () => {
  const reader = (await call("FindReader", { nick: "ada" })) as { favouriteShelf: string; shelves: readonly string[] };
  expect(reader.shelves.length).toBeGreaterThan(0);
  for (const name of [reader.favouriteShelf, ...reader.shelves]) {
    expect(await call("GetShelf", { name })).toMatchObject({ name });
  }
});

test("makes up lists of a resource's parts from existing resources, without its children", async () => {
  const name = "halls/hall-1/shelves/shelf-1";
  const { shelves } = (await call("ListShelfEditions", { name })) as { shelves: readonly { readonly name: string }[] };
  expect(shelves.length).toBeGreaterThan(0);
  for (const shelf of shelves) expect(await call("GetShelf", { name: shelf.name })).toMatchObject({ name: shelf.name });
});

test("gives a resource from PUT the name in its URL", async () => {
  const name = "halls/hall-1/shelves/mine";
  expect(await call("CreateShelf", { name, theme: "Sea" })).toMatchObject({ name, theme: "Sea" });
});
