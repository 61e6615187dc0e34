// Required fields: a request without one is INVALID_ARGUMENT, whether proto2 requires it or google.api.field_behavior does.
import { describe, expect, it } from "vitest";
import { requiresValue } from "../src/validation/field-rules.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { violations } from "./support/violations.ts";

const marked = compileContract(`
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
import "google/api/field_behavior.proto";
import "google/protobuf/field_mask.proto";
service Things {
  rpc Create(CreateRequest) returns (Thing);
  rpc Update(UpdateRequest) returns (Thing);
}
message Thing {
  string name = 1 [(google.api.field_behavior) = IDENTIFIER];
  string title = 2 [(google.api.field_behavior) = REQUIRED];
  Size size = 3 [(google.api.field_behavior) = REQUIRED];
  string uid = 4 [(google.api.field_behavior) = REQUIRED, (google.api.field_behavior) = OUTPUT_ONLY];
  repeated Part parts = 5;
  map<string, Part> named = 6;
  oneof kind {
    string plain = 7 [(google.api.field_behavior) = REQUIRED];
    int32 number = 8 [(google.api.field_behavior) = REQUIRED];
  }
}
message Size { int32 width = 1 [(google.api.field_behavior) = REQUIRED]; int32 height = 2; }
message Part { string label = 1 [(google.api.field_behavior) = REQUIRED]; }
message CreateRequest {
  string parent = 1 [(google.api.field_behavior) = REQUIRED, (buf.validate.field).string.max_len = 5];
  Thing thing = 2 [(google.api.field_behavior) = REQUIRED];
}
message UpdateRequest { Thing thing = 1; google.protobuf.FieldMask update_mask = 2; }
`);

const proto2 = compileContract(`
syntax = "proto2";
package acme.old.v1;
service Old { rpc Do(Request) returns (Request); }
message Request { required string name = 1; optional Inner inner = 2; }
message Inner { required int32 number = 1; }
`);

/** The fields of a message that documents require. */
function required(name: string): readonly string[] {
  const fields = marked.registry.getMessage(`acme.v1.${name}`)?.fields ?? [];
  return fields.filter(requiresValue).map((field) => field.name);
}

const thing = { title: "A thing", size: { width: 3 }, plain: "so" } as const;

describe("a field that is REQUIRED", () => {
  it("is missed at every depth, with its path", () => {
    expect(violations(marked, "Create", { parent: "p", thing })).toEqual([]);
    expect(violations(marked, "Create", { thing })).toEqual(["parent: required"]);
    expect(violations(marked, "Create", { parent: "p", thing: { size: {} } })).toEqual([
      "thing.title: required",
      "thing.size.width: required",
      "thing.kind: required",
    ]);
    const parts = [{ label: "a" }, {}];
    expect(violations(marked, "Create", { parent: "p", thing: { ...thing, parts, named: { x: {} } } })).toEqual([
      "thing.parts[1].label: required",
      'thing.named["x"].label: required',
    ]);
  });

  it("is named beside broken rules", () => {
    expect(violations(marked, "Create", { parent: "too long" })).toEqual(["parent: string.max_len", "thing: required"]);
  });

  it("may be missing in an update, unless the mask names it", () => {
    expect(violations(marked, "Update", { thing: { name: "things/a" } })).toEqual([]);
    expect(violations(marked, "Update", { thing: { name: "things/a" }, updateMask: "name" })).toEqual([]);
    expect(violations(marked, "Update", { thing: { size: { height: 2 } } })).toEqual(["thing.size.width: required"]);
    expect(violations(marked, "Update", { thing: { size: { height: 2 } }, updateMask: "title" })).toEqual([
      "thing.title: required",
    ]);
    expect(violations(marked, "Update", { thing: {}, updateMask: "*" })).toEqual([
      "thing.title: required",
      "thing.size: required",
      "thing.kind: required",
    ]);
  });

  it("is required in documents, unless its message may be sent in part", () => {
    expect(required("CreateRequest")).toEqual(["parent", "thing"]);
    expect(required("Size")).toEqual(["width"]);
    expect(required("Thing")).toEqual([]);
  });
});

it("requires what proto2 requires, at every depth", () => {
  expect(violations(proto2, "Do", { name: "a", inner: { number: 0 } })).toEqual([]);
  expect(violations(proto2, "Do", { inner: {} })).toEqual(["name: required", "inner.number: required"]);
});
