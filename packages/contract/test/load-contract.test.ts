// A contract is what its descriptors say: operations in order, with what each style needs to carry them.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { builtInContract, CallError, type Contract, contractFromImage } from "../src/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

describe("the contract of this project", () => {
  const contract = builtInContract();

  it("has its operations in the order in which its files declare them", () => {
    const ids = contract.operations.map(({ id }) => id);
    expect(ids).toHaveLength(32);
    expect(ids.slice(0, 2)).toEqual([
      "roundtrip.v1.CustomerService.GetCustomer",
      "roundtrip.v1.CustomerService.ListCustomers",
    ]);
    expect(ids.slice(28)).toEqual([
      "roundtrip.v1.MatrixService.Power",
      "roundtrip.v1.PayloadService.Echo",
      "roundtrip.v1.PayloadService.Download",
      "roundtrip.v1.PayloadService.Upload",
    ]);
  });

  it.each(["roundtrip.v1.HelloService.SayGoodbye", "", "toString"])("has no operation %j: UNIMPLEMENTED", (id) => {
    expect(() => contract.operation(id)).toThrow(CallError);
    expect(() => contract.operation(id)).toThrow(expect.objectContaining({ code: "UNIMPLEMENTED" }));
  });

  it.each([
    ["GetCustomer", "none"],
    ["CreateCustomer", "unknown"],
    ["UpdateCustomer", "idempotent"],
    ["DeleteCustomer", "idempotent"],
  ])("knows what repeating %s may change: %s", (name, sideEffects) => {
    expect(contract.operation(`roundtrip.v1.CustomerService.${name}`).sideEffects).toBe(sideEffects);
  });

  it("knows the requests with a read mask", () => {
    const masked = contract.operations.filter(({ readMask }) => readMask !== undefined);
    expect(masked.map(({ method }) => method.name).toSorted()).toEqual([
      "BatchGetInvoices",
      "BatchGetProducts",
      "GetCustomer",
      "GetInvoice",
      "GetProduct",
      "GetStatement",
      "ListInvoices",
      "ListProducts",
      "StreamProducts",
    ]);
  });

  it("knows where operations are on HTTP", () => {
    const { bindings } = contract.operation("roundtrip.v1.CustomerService.UpdateCustomer");
    expect(bindings).toHaveLength(1);
    expect(bindings[0]).toMatchObject({ method: "PATCH", body: "customer", responseBody: "" });
    expect(bindings[0].path.source).toBe("/v1/customers/{customer.id}");
  });
});

describe("a user's contract", () => {
  const { operations, registry } = compileContract(`
    syntax = "proto3";
    package shop;
    import "google/protobuf/field_mask.proto";
    message Text { string text = 1; google.protobuf.FieldMask mask = 2; }
    service Shop {
      rpc Get(Text) returns (Text) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc Put(Text) returns (Text);
      rpc Watch(Text) returns (stream Text);
      rpc Fill(stream Text) returns (Text);
      rpc Chat(stream Text) returns (stream Text);
    }
    service Empty {}
  `);

  it("needs no annotations: an operation is a POST to its full name, everything in the body", () => {
    const bindings = operations.map(({ bindings: [main] }) => `${main.method} ${main.path.source} ${main.body}`);
    expect(bindings.slice(0, 2)).toEqual(["POST /shop.Shop/Get *", "POST /shop.Shop/Put *"]);
  });

  it("says who may send more than one message", () => {
    expect(operations.map(({ kind }) => kind)).toEqual([
      "unary",
      "unary",
      "server_streaming",
      "client_streaming",
      "bidi_streaming",
    ]);
  });

  it("may be empty", () => {
    expect(contractFromImage(new Uint8Array()).operations).toEqual([]);
  });

  it("is refused when it is no descriptor set, or lacks a file that it imports", () => {
    expect(() => contractFromImage(new TextEncoder().encode("syntax = 'proto3';"))).toThrow("illegal tag");
    const alone = [...registry.files].filter(({ name }) => name === "test").map(({ proto }) => proto);
    const partial = create(FileDescriptorSetSchema, { file: alone });
    expect(() => contractFromImage(toBinary(FileDescriptorSetSchema, partial))).toThrow(
      "google/protobuf/field_mask.proto",
    );
  });
});

it("takes only a FieldMask for a read mask", () => {
  const { operations } = compileContract(`syntax = "proto3";
package shop.v1;
service Shop { rpc Find(Request) returns (Answer); }
message Request { string read_mask = 1; }
message Answer { string name = 1; }`);
  expect(operations.map(({ readMask }) => readMask)).toEqual([undefined]);
});

it.each<readonly [where: string, answer: string, name: string | undefined]>([
  ["is no answer", "string name = 1;", "read_mask"],
  ["is the answer", "", undefined],
  ["is in the answer", "Request request = 1;", undefined],
  ["is in a list of the answer", "repeated Request requests = 1;", undefined],
  ["is in a map of the answer", "map<string, Request> requests = 1;", undefined],
  ["is deep in the answer", "message Inner { Answer again = 1; Request request = 2; } Inner inner = 1;", undefined],
])("takes it for a read mask only if its message %s", (_where, answer, name) => {
  const { operations } = compileContract(`syntax = "proto3";
package shop.v1;
import "google/protobuf/field_mask.proto";
service Shop { rpc Find(Request) returns (${answer === "" ? "Request" : "Answer"}); }
message Request { string id = 1; google.protobuf.FieldMask read_mask = 2; }
message Answer { ${answer} }`);
  expect(operations.map(({ readMask }) => readMask?.name)).toEqual([name]);
});

function contractWithSet(option: string): Contract {
  return compileContract(`
syntax = "proto2";
package sets.v1;
service Sets { rpc Get(Request) returns (Request); }
message Request { optional Set set = 1; }
message Set { ${option} extensions 4 to max; }
`);
}

it("refuses a message in the wire format of message sets, and says where it is", () => {
  expect(() => contractWithSet("option message_set_wire_format = true;")).toThrow(
    /^test\.proto:6:15: sets\.v1\.Set has message_set_wire_format, which is not supported/,
  );
  expect(() => contractWithSet("")).not.toThrow();
});
