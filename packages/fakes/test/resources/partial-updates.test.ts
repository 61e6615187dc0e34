// Partial updates over every style: only what the mask names must follow the rules.
import { fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { startFake, type StartedFake } from "../../src/fake/start-fake.ts";

const stacks = ["grpc-js", "rest-express", "graphql-apollo", "connect-node", "json-rpc-node-http", "soap-node-http"];

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/protobuf/field_mask.proto";
service Rooms {
  rpc GetRoom(GetRoomRequest) returns (Room) { option (google.api.http) = {get: "/v1/{name=rooms/*}"}; }
  rpc CreateRoom(CreateRoomRequest) returns (Room) { option (google.api.http) = {post: "/v1/rooms" body: "room"}; }
  rpc UpdateRoom(UpdateRoomRequest) returns (Room) { option (google.api.http) = {patch: "/v1/{room.name=rooms/*}" body: "room"}; }
}
message Room {
  string name = 1;
  string title = 2 [(buf.validate.field).string.min_len = 3];
  int32 beds = 3 [(buf.validate.field).int32 = {gte: 1, lte: 8}];
  Price price = 4;
}
message Price { string currency = 1 [(buf.validate.field).string.len = 3]; int32 units = 2 [(buf.validate.field).int32.gt = 0]; }
message GetRoomRequest { string name = 1; }
message CreateRoomRequest { Room room = 1 [(buf.validate.field).required = true]; }
message UpdateRoomRequest {
  Room room = 1 [(buf.validate.field).required = true];
  google.protobuf.FieldMask update_mask = 2;
  bool allow_missing = 3;
}
`);

async function call(fake: StartedFake, stack: string, name: string, request: JsonObject): Promise<JsonValue> {
  const client = await fake.connect(stack);
  const operation = contract.operation(`acme.v1.Rooms.${name}`);
  try {
    return toJson(operation.output, await client.prepare(operation)(fromJson(operation.input, request)));
  } catch (thrown) {
    if (thrown instanceof CallError)
      return `${thrown.code} ${thrown.details.violations.map(({ field }) => field).join()}`;
    throw thrown;
  }
}

const room = { title: "Attic", beds: 2, price: { currency: "EUR", units: 3 } };

it("needs only what the mask names, over every style", async () => {
  await using fake = await startFake(contract, { stacks });
  for (const stack of stacks) {
    const { name = "" } = (await call(fake, stack, "CreateRoom", { room })) as { readonly name?: string };
    const update = (change: JsonObject, updateMask: string) =>
      call(fake, stack, "UpdateRoom", { room: { name, ...change }, updateMask });
    expect(await update({ beds: 5 }, "beds"), `over ${stack}`).toEqual({ ...room, name, beds: 5 });
    expect(await update({ price: { currency: "USD" } }, "price.currency"), `over ${stack}`).toEqual({
      ...room,
      name,
      beds: 5,
      price: { currency: "USD", units: 3 },
    });
    expect(await update({ beds: 9 }, "beds"), `over ${stack}`).toBe("INVALID_ARGUMENT room.beds");
    expect(await update({ beds: 5 }, "beds,title"), `over ${stack}`).toBe("INVALID_ARGUMENT room.title");
    const missing = { room: { name: "rooms/new", beds: 5 }, updateMask: "beds", allowMissing: true };
    expect(await call(fake, stack, "UpdateRoom", missing), `over ${stack}`).toBe("INVALID_ARGUMENT room.title");
  }
});

it("needs every field as a setting", async () => {
  await using fake = await startFake(contract, { stacks: ["rest-express"], wholeUpdates: true });
  const { name = "" } = (await call(fake, "memory", "CreateRoom", { room })) as { readonly name?: string };
  const request = { room: { name, beds: 5 }, updateMask: "beds" };
  for (const stack of ["memory", "rest-express"])
    expect(await call(fake, stack, "UpdateRoom", request)).toBe("INVALID_ARGUMENT room.title");
});

it("has patches in the GraphQL schema, whose fields are optional", async () => {
  await using fake = await startFake(contract, { stacks: ["graphql-apollo"] });
  const query = async (text: string): Promise<unknown> => {
    const answer = await fetch(fake.urls["graphql-apollo"] ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text }),
    });
    const { data, errors } = (await answer.json()) as { readonly data: unknown; readonly errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };
  await query(
    'mutation { createRoom(input: {room: {name: "rooms/a", title: "Attic", beds: 2, price: {currency: "EUR", units: 3}}}) { name } }',
  );
  const change = 'room: {name: "rooms/a", price: {currency: "USD"}}, updateMask: "price.currency"';
  expect(await query(`mutation { updateRoom(input: {${change}}) { title price { currency units } } }`)).toEqual({
    updateRoom: { title: "Attic", price: { currency: "USD", units: 3 } },
  });
});
