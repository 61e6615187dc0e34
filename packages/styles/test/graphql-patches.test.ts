// The inputs of partial updates: patches, which differ from other inputs only where those require something.
import { expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { sdlOf } from "../src/graphql/schema/schema.ts";

/** The inputs of a schema, each on a line. */
function inputs(messages: string): readonly string[] {
  const sdl = sdlOf(
    compileContract(`
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
import "google/api/field_behavior.proto";
import "google/protobuf/field_mask.proto";
service Rooms {
  rpc CreateRoom(CreateRoomRequest) returns (Room);
  rpc UpdateRoom(UpdateRoomRequest) returns (Room);
}
message CreateRoomRequest { Room room = 1; }
${messages}`),
  );
  return [...sdl.replaceAll(/^ *""".*"""\n/gm, "").matchAll(/^input (\w+) \{\n([^}]*)\}/gm)]
    .map(([, name = "", fields = ""]) => `${name} { ${fields.trim().replaceAll(/\s*\n\s*/g, ", ")} }`)
    .toSorted();
}

const update = "message UpdateRoomRequest { Room room = 1; google.protobuf.FieldMask update_mask = 2; }";
const title = "string title = 1 [(buf.validate.field).string.min_len = 1];";

it.each([
  [
    "a rule",
    `${update} message Room { ${title} }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "RoomInput { title: String! }",
      "RoomPatch { title: String }",
      "UpdateRoomInput { room: RoomPatch, updateMask: [RoomField!] }",
    ],
  ],
  [
    "fields that are REQUIRED",
    `${update} message Door { string key = 1 [(google.api.field_behavior) = REQUIRED]; }
    message Room { Door door = 1 [(google.api.field_behavior) = REQUIRED]; string id = 2 [(google.api.field_behavior) = REQUIRED, (google.api.field_behavior) = OUTPUT_ONLY]; }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "DoorInput { key: String! }",
      "DoorPatch { key: String }",
      "RoomInput { door: DoorInput!, id: String }",
      "RoomPatch { door: DoorPatch, id: String }",
      "UpdateRoomInput { room: RoomPatch, updateMask: [String!] }",
    ],
  ],
  [
    "no rule",
    `${update} message Room { string title = 1; }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "RoomInput { title: String }",
      "UpdateRoomInput { room: RoomInput, updateMask: [RoomField!] }",
    ],
  ],
  [
    "a rule deeper inside, and not in a list",
    `${update} message Room { Door door = 1; repeated Door doors = 2; } message Door { ${title} }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "DoorInput { title: String! }",
      "DoorPatch { title: String }",
      "RoomInput { door: DoorInput, doors: [DoorInput!] }",
      "RoomPatch { door: DoorPatch, doors: [DoorInput!] }",
      "UpdateRoomInput { room: RoomPatch, updateMask: [String!] }",
    ],
  ],
  [
    "names that are taken",
    `${update} message Room { ${title} RoomPatch patch = 2; } message RoomPatch { int32 id = 1; }`,
    [
      "AcmeV1RoomPatch { title: String, patch: RoomPatchInput }",
      "CreateRoomInput { room: RoomInput }",
      "RoomInput { title: String!, patch: RoomPatchInput }",
      "RoomPatchInput { id: Int }",
      "UpdateRoomInput { room: AcmeV1RoomPatch, updateMask: [String!] }",
    ],
  ],
  [
    "lists of resources",
    `message UpdateRoomRequest { repeated Room rooms = 1; google.protobuf.FieldMask update_mask = 2; } message Room { ${title} }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "RoomInput { title: String! }",
      "RoomPatch { title: String }",
      "UpdateRoomInput { rooms: [RoomPatch!], updateMask: [String!] }",
    ],
  ],
  [
    "a request that is changed itself",
    `message UpdateRoomRequest { ${title} google.protobuf.FieldMask update_mask = 2; } message Room { ${title} }`,
    [
      "CreateRoomInput { room: RoomInput }",
      "RoomInput { title: String! }",
      "UpdateRoomInput { title: String, updateMask: [String!] }",
    ],
  ],
])("has the inputs of updates with %s", (_name, messages, expected) => {
  expect(inputs(messages)).toEqual(expected);
});
