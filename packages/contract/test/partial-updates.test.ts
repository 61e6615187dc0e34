// Which rules apply to a partial update: those of the key and of the fields that its mask names; without a mask, of the fields that are set.
import type { JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { violations } from "./support/violations.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/protobuf/field_mask.proto";
service Rooms {
  rpc GetRoom(GetRoomRequest) returns (Room);
  rpc CreateRoom(CreateRoomRequest) returns (Room);
  rpc UpdateRoom(UpdateRoomRequest) returns (Room) { option (google.api.http) = {patch: "/v1/rooms/{room.id}" body: "room"}; }
  rpc BatchUpdateRooms(BatchUpdateRoomsRequest) returns (BatchUpdateRoomsResponse);
  rpc UpdateRooms(UpdateRoomsRequest) returns (BatchUpdateRoomsResponse);
  rpc SetTitle(SetTitleRequest) returns (Room) { option (google.api.http) = {patch: "/v1/rooms/{number}:title" body: "*"}; }
  rpc FindRooms(FindRoomsRequest) returns (BatchUpdateRoomsResponse);
}
message Room {
  option (buf.validate.message).cel = {id: "order", message: "to is before from", expression: "this.from <= this.to"};
  option (buf.validate.message).cel = {id: "share", message: "too many", expression: "this.beds / this.stars < 3"};
  option (buf.validate.message).oneof = {fields: ["phone", "mail"], required: true};
  int32 id = 1 [(buf.validate.field).int32.gte = 1];
  string title = 2 [(buf.validate.field).string.min_len = 3];
  int32 beds = 3 [(buf.validate.field).int32 = {gte: 1, lte: 8}];
  Price price = 4 [(buf.validate.field).required = true];
  repeated string tags = 5 [(buf.validate.field).repeated = {min_items: 1, max_items: 2, unique: true}];
  map<string, string> labels = 6 [(buf.validate.field).map.min_pairs = 1];
  oneof view { option (buf.validate.oneof).required = true; string sea = 7; string street = 8 [(buf.validate.field).string.min_len = 4]; }
  int32 from = 9;
  int32 to = 10;
  int32 stars = 11;
  string phone = 12 [(buf.validate.field).string.min_len = 5];
  string mail = 13 [(buf.validate.field).string.email = true];
  string note = 14 [(google.api.field_behavior) = REQUIRED];
}
message Price { string currency = 1 [(buf.validate.field).string.len = 3]; int32 units = 2 [(buf.validate.field).int32.gt = 0]; }
message Options { int32 depth = 1 [(buf.validate.field).int32.gt = 0]; }
message GetRoomRequest { int32 id = 1 [(buf.validate.field).int32.gt = 0]; }
message CreateRoomRequest { Room room = 1; }
message UpdateRoomRequest {
  Room room = 1 [(buf.validate.field).required = true];
  google.protobuf.FieldMask update_mask = 2;
  Options options = 3;
  string reason = 4 [(buf.validate.field).string.max_len = 3];
}
message BatchUpdateRoomsRequest { repeated UpdateRoomRequest requests = 1; }
message UpdateRoomsRequest { repeated Room rooms = 1; google.protobuf.FieldMask update_mask = 2; }
message BatchUpdateRoomsResponse { repeated Room rooms = 1; }
message SetTitleRequest {
  int32 number = 1 [(buf.validate.field).int32.gt = 0];
  string title = 2 [(buf.validate.field).string.min_len = 3];
  string subtitle = 3 [(buf.validate.field).string.min_len = 3];
  google.protobuf.FieldMask update_mask = 4;
}
message FindRoomsRequest { Options options = 1; google.protobuf.FieldMask mask = 2; }
`);

const whole = {
  id: 7,
  title: "Attic",
  beds: 2,
  price: { currency: "EUR", units: 3 },
  tags: ["a"],
  labels: { a: "b" },
  sea: "blue",
  stars: 3,
  phone: "12345",
  note: "n",
};

it.each([
  ["a whole room", whole, "*", []],
  ["only the key and what the mask names", { id: 7, title: "Attic" }, "title", []],
  ["a broken rule that the mask names", { id: 7, title: "At" }, "title", ["room.title: string.min_len"]],
  ["no key", { title: "Attic" }, "title", ["room.id: int32.gte"]],
  ["a field that the mask empties", { id: 7 }, "title", ["room.title: string.min_len"]],
  ["a required message that the mask empties", { id: 7 }, "price", ["room.price: required"]],
  ["a message that the mask names", { id: 7, price: { currency: "EUR" } }, "price", ["room.price.units: int32.gt"]],
  ["a field inside a message", { id: 7, price: { currency: "EUR" } }, "price.currency", []],
  ["a broken rule inside", { id: 7, price: { currency: "E" } }, "price.currency", ["room.price.currency: string.len"]],
  ["broken rules beside the mask", { id: 7, beds: 99, tags: ["a", "b", "c"], note: "n" }, "note", []],
  ["a list that the mask names", { id: 7, tags: ["a", "b", "c"] }, "tags", ["room.tags: repeated.max_items"]],
  ["a list that the mask empties", { id: 7 }, "tags", ["room.tags: repeated.min_items"]],
  ["a map that the mask empties", { id: 7 }, "labels", ["room.labels: map.min_pairs"]],
  ["a path into a map", { id: 7 }, "labels.a", ["room.labels: map.min_pairs"]],
  ["a member of a oneof", { id: 7, sea: "blue" }, "sea", []],
  ["a oneof that the mask empties", { id: 7 }, "street", ["room.view: required"]],
  ["a rule of a member", { id: 7, street: "a" }, "street", ["room.street: string.min_len"]],
  ["both fields of a message rule", { id: 7, from: 3, to: 1 }, "from,to", ["room: order"]],
  ["one field of a message rule", { id: 7, from: 3 }, "from", []],
  ["a rule that fails for what is not sent", { id: 7, beds: 2 }, "beds", []],
  ["a oneof of fields", { id: 7 }, "mail", ["room: message.oneof"]],
  ["one of a oneof of fields", { id: 7, mail: "a@example.com" }, "mail", []],
  ["a REQUIRED field that the mask empties", { id: 7 }, "note", ["room.note: required"]],
  ["unknown paths, which are refused later", { id: 7 }, "shoe,size.x", []],
  ["no mask", { id: 7, title: "At", beds: 3 }, "", ["room.title: string.min_len"]],
  ["no mask, all set fields right", { id: 7, title: "Attic" }, "", []],
  [
    "a mask of everything",
    { id: 7, stars: 1, note: "n" },
    "*",
    [
      "room.title: string.min_len",
      "room.beds: int32.gte_lte",
      "room.price: required",
      "room.tags: repeated.min_items",
      "room.labels: map.min_pairs",
      "room: message.oneof",
      "room.view: required",
    ],
  ],
])("takes an update with %s", (_name, room, updateMask, expected) => {
  const found = violations(contract, "UpdateRoom", { room, ...(updateMask === "" ? {} : { updateMask }) });
  expect([...found].toSorted()).toEqual([...expected].toSorted());
  const inBatch = violations(contract, "BatchUpdateRooms", { requests: [{ room: whole }, { room, updateMask }] });
  expect([...inBatch].toSorted()).toEqual(expected.map((text) => `requests[1].${text}`).toSorted());
});

const inLists = (change: JsonObject, updateMask: string): readonly string[] =>
  violations(contract, "UpdateRooms", { rooms: [whole, change], updateMask });

it("takes a list of resources by the mask that they share", () => {
  expect(inLists({ id: 7, beds: 3 }, "beds")).toEqual([]);
  expect(inLists({ id: 7, beds: 99 }, "beds")).toEqual(["rooms[1].beds: int32.gte_lte"]);
});

it("applies the rules of everything beside the resource", () => {
  const room = { id: 7, title: "Attic" };
  expect(violations(contract, "UpdateRoom", { room, updateMask: "title", options: {}, reason: "because" })).toEqual([
    "options.depth: int32.gt",
    "reason: string.max_len",
  ]);
  expect(violations(contract, "UpdateRoom", { updateMask: "title" })).toEqual(["room: required"]);
  expect(violations(contract, "FindRooms", { options: {}, mask: "rooms" })).toEqual(["options.depth: int32.gt"]);
  expect(violations(contract, "CreateRoom", { room: { ...whole, beds: 0 } })).toEqual(["room.beds: int32.gte_lte"]);
});

it("takes masks that name fields of the request itself", () => {
  expect(violations(contract, "SetTitle", { number: 1, title: "Attic", updateMask: "title" })).toEqual([]);
  expect(violations(contract, "SetTitle", { title: "At", updateMask: "title" })).toEqual([
    "number: int32.gt",
    "title: string.min_len",
  ]);
  expect(violations(contract, "SetTitle", { number: 1, title: "Attic" })).toEqual(["subtitle: string.min_len"]);
});
