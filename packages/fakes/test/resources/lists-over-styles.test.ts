// What a request for a list asks, over real connections: what its fields select, and which of them the log names because they select nothing.
import { create, fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { sessionMetadataName, type StartedFake, startFake } from "../../src/index.ts";
import { list } from "./library.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.stay.v1;
import "google/api/annotations.proto";
import "google/protobuf/field_mask.proto";
service Stays {
  rpc GetHotel(GetHotelRequest) returns (Hotel) { option (google.api.http) = {get: "/v1/hotels/{id}"}; }
  rpc ListHotels(ListHotelsRequest) returns (ListHotelsResponse) { option (google.api.http) = {get: "/v1/hotels"}; }
  rpc CreateHotel(CreateHotelRequest) returns (Hotel) { option (google.api.http) = {post: "/v1/hotels" body: "hotel"}; }
}
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; FULL = 2; CLOSED = 3; }
message Hotel { string id = 1; string city = 2; State state = 3; int32 rooms = 4; repeated string tags = 5; Place address = 6; Place office = 7; }
message Place { string street = 1; string country = 2; }
message Range { string from = 1; string until = 2; }
message GetHotelRequest { string id = 1; }
message CreateHotelRequest { Hotel hotel = 1; }
message ListHotelsRequest {
  int32 page_size = 1;
  string page_token = 2;
  string filter = 3;
  string order_by = 4;
  google.protobuf.FieldMask read_mask = 5;
  repeated string cities = 6;
  repeated State states = 7;
  repeated int32 rooms = 8;
  bool show_deleted = 9;
  string sort = 10;
  string view = 11;
  Range dates = 12;
  string street = 13;
  repeated string people = 14;
  optional bool breakfast = 15;
}
message ListHotelsResponse { repeated Hotel hotels = 1; string next_page_token = 2; int32 total_size = 3; }
`);

const hotels = [
  { id: "astoria", city: "Oslo", state: "OPEN", rooms: 7001 },
  { id: "bristol", city: "Rome", state: "FULL", rooms: 7002 },
  { id: "carlton", city: "Paris, Texas", state: "CLOSED", rooms: 7003 },
];
const all = hotels.map(({ id }) => id);

const stacks = ["rest-express", "grpc-js", "graphql-apollo"];

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { stacks });
});
afterAll(() => fake.close());

/** The answer of a list with three hotels of its own, and its record in the log. */
async function listed(stack: string, request: JsonObject) {
  const session = fake.session(crypto.randomUUID());
  const client = await session.connect(stack);
  const call = async (name: string, json: JsonObject): Promise<JsonObject> => {
    const { input, output, id } = contract.operation(`acme.stay.v1.Stays.${name}`);
    const answer = await client.prepare(contract.operation(id))(fromJson(input, json));
    return toJson(output, create(output, answer as never)) as JsonObject;
  };
  for (const hotel of hotels) await call("CreateHotel", { hotel });
  const answer = await call("ListHotels", { pageSize: 1_000, ...request }).catch((thrown: unknown) => thrown);
  const own = new Set(all);
  const ids =
    answer instanceof CallError
      ? answer.code
      : list((answer as JsonObject)["hotels"]).flatMap(({ id }) => (own.has(id as string) ? [id] : []));
  return { ids, record: session.log.records.at(-1) };
}

describe.each(stacks)("over %s", (stack) => {
  it.each<readonly [JsonObject, readonly string[], readonly string[]]>([
    [{}, all, []],
    [{ cities: ["Oslo"] }, ["astoria"], []],
    [{ states: ["OPEN", "FULL"], rooms: [7001] }, ["astoria"], []],
    [{ filter: 'city = "Rome"', orderBy: "rooms", showDeleted: true }, ["bristol"], []],
    [{ sort: "rooms" }, all, ["sort"]],
    [{ view: "FULL", cities: ["Rome"] }, ["bristol"], ["view"]],
    [{ dates: { from: "2030-01-01" } }, all, ["dates"]],
    [{ street: "Main Street" }, all, ["street"]],
    [{ people: ["Ann", "Bob"], breakfast: false }, all, ["people", "breakfast"]],
  ])("%j lists what was asked for, and names the rest", async (request, ids, ignoredFields) => {
    const { ids: got, record } = await listed(stack, request);
    expect(got).toEqual(ids);
    expect(record).toMatchObject({ outcome: "OK", ignoredFields });
  });

  // In GraphQL the selection is the mask.
  it.skipIf(stack === "graphql-apollo")("a mask is applied", async () => {
    const { ids, record } = await listed(stack, { readMask: "id" });
    expect(ids).toEqual(all);
    expect(record).toMatchObject({
      ignoredFields: [],
      responses: [{ hotels: expect.arrayContaining([{ id: "astoria" }]) as unknown }],
    });
  });

  it.each<readonly [JsonObject, string]>([
    [{ filter: "town = Rome" }, 'filter: Hotel has no field "town" to compare'],
    [{ filter: "rooms > 1" }, "filter: the fake supports only `field = value`"],
    [{ filter: "rom = 1" }, 'has no field "rom" to compare; did you mean "rooms"?'],
    [{ orderBy: "roms desc" }, 'cannot order Hotel by "roms desc"; did you mean "rooms"?'],
    [{ orderBy: "price" }, 'order_by: cannot order Hotel by "price"'],
  ])("%j is refused, and the log says why", async (request, message) => {
    const { ids, record } = await listed(stack, request);
    expect(ids).toMatch(/^(?:INVALID_ARGUMENT|UNIMPLEMENTED)$/);
    expect(record).toMatchObject({ outcome: ids, message: expect.stringContaining(message) as string });
  });
});

/** Which hotels a query of REST lists, or why it is refused. */
async function queried(query: string): Promise<unknown> {
  const session = fake.session(crypto.randomUUID());
  const client = await session.connect("memory");
  const { input, id } = contract.operation("acme.stay.v1.Stays.CreateHotel");
  for (const hotel of hotels) await client.prepare(contract.operation(id))(fromJson(input, { hotel }));
  const url = `${fake.urls["rest-express"] ?? ""}/v1/hotels?pageSize=1000&${query}`;
  const answer = await fetch(url, { headers: { [sessionMetadataName]: session.name } });
  const { hotels: found, detail } = (await answer.json()) as {
    readonly hotels: JsonObject[];
    readonly detail?: string;
  };
  return detail ?? found.flatMap(({ id: own }) => (all.includes(own as string) ? [own] : []));
}

describe("a list in a query of REST", () => {
  it.each<readonly [string, unknown]>([
    ["rooms=7001&rooms=7002", ["astoria", "bristol"]],
    ["rooms=7001,7002", ["astoria", "bristol"]],
    ["rooms=7001%2C7002&rooms=7003", all],
    ["rooms=7001,x", 'rooms[1]: cannot be "x"'],
    ["rooms=7001,", 'rooms[1]: cannot be ""'],
    ["states=OPEN,FULL&rooms=7001,7002,7003", ["astoria", "bristol"]],
    ["states=1,CLOSED&rooms=7001,7002,7003", ["astoria", "carlton"]],
    ["cities=Oslo&cities=Rome", ["astoria", "bristol"]],
    ["cities=Oslo,Rome", ["astoria", "bristol"]],
    ["cities=Oslo%2CRome", ["astoria", "bristol"]],
    ["cities=Paris,+Texas", ["carlton"]],
    ["cities=Paris,+Texas&cities=Oslo,Rome", all],
    ["cities=Rome,+Texas", ["bristol"]],
  ])("%s", async (query, expected) => {
    expect(await queried(query)).toEqual(expected);
  });

  it("is split in REST only: elsewhere a text with a comma is one", async () => {
    for (const [stack, ids] of [
      ["rest-express", ["astoria", "bristol"]],
      ["grpc-js", []],
      ["graphql-apollo", []],
    ] as const)
      expect(await listed(stack, { cities: ["Oslo,Rome"] })).toMatchObject({ ids });
  });
});
