// A stub whose answer breaks the contract's rules is used, with a warning that names rule and field; and streams of Creates are kept.
import { create, fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { ServerCall } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { createFake } from "../../src/fake/fake.ts";
import { startFake } from "../../src/fake/start-fake.ts";
import { stubWarnings } from "../../src/stubs/broken-rules.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";
import { once } from "node:events";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
service Hotels {
  rpc GetHotel(GetHotelRequest) returns (Hotel);
  rpc CreateHotel(stream CreateHotelRequest) returns (Hotel);
  rpc AddHotel(CreateHotelRequest) returns (stream Hotel);
  rpc InsertHotel(stream CreateHotelRequest) returns (stream Hotel);
  rpc ListHotels(ListHotelsRequest) returns (ListHotelsResponse);
}
message Hotel {
  option (buf.validate.message).cel = {id: "no_ads", message: "no ads", expression: "this.title != 'ad'"};
  string id = 1;
  int32 stars = 2 [(buf.validate.field).int32 = {gte: 1, lte: 5}];
  string title = 3;
  repeated Room rooms = 4;
}
message Room { int32 beds = 1 [(buf.validate.field).int32.gt = 0]; int32 doors = 2 [(buf.validate.field).int32.gt = 0]; }
message GetHotelRequest { string id = 1; }
message CreateHotelRequest { Hotel hotel = 1; }
message ListHotelsRequest { int32 page_size = 1; string page_token = 2; }
message ListHotelsResponse { repeated Hotel hotels = 1; string next_page_token = 2; }
`);

const stars = "must be greater than or equal to 1 and less than or equal to 5 (int32.gte_lte)";

it.each([
  ["a good answer", "response: { stars: 3 }", []],
  ["a value out of range", "response: { stars: 9 }", [`response.stars: ${stars}`]],
  ["what is left out", "response: {}", [`response.stars: ${stars}`]],
  ["a rule of the message", "response: { stars: 1, title: ad }", ["response: no ads (no_ads)"]],
  ["fields over a made-up answer", "made-up: true\n  response: { title: T }", []],
  ["a broken one over it", "made-up: true\n  response: { stars: 0, title: T }", [`response.stars: ${stars}`]],
  [
    "what is inside a list",
    "made-up: true\n  response: { rooms: [{ beds: 1, doors: 1 }, { beds: 1 }] }",
    ["response.rooms[1].doors: must be greater than 0 (int32.gt)"],
  ],
  [
    "an answer of a sequence",
    "answers: [{ error: { code: UNAVAILABLE } }, { response: { stars: 9 } }]",
    [`answers[1].response.stars: ${stars}`],
  ],
  ["a template, whose answer depends on the call", 'template: true\n  response: { title: "{{request.id}}" }', []],
])("warns of %s as it is", (_name, answer, expected) => {
  const stubs = parseStubs(`- operation: GetHotel\n  ${answer}\n`, "stubs.yaml", contract);
  expect(stubWarnings(contract, stubs)).toEqual(
    expected.map((text) => `Warning: stub 1 (acme.v1.Hotels.GetHotel): ${text}`),
  );
});

it("names the message of a stream, and at most twenty rules", () => {
  const streamed = [{ operation: "AddHotel", responses: [{ stars: 1 }, { stars: 7 }] }];
  expect(stubWarnings(contract, streamed)).toEqual([
    `Warning: stub 1 (acme.v1.Hotels.AddHotel): responses[1].stars: ${stars}`,
  ]);
  const many = Array.from({ length: 30 }, () => ({ operation: "GetHotel", response: {} }));
  expect(stubWarnings(contract, many).slice(19)).toEqual([
    `Warning: stub 20 (acme.v1.Hotels.GetHotel): response.stars: ${stars}`,
    "10 more rules are broken",
  ]);
});

it("warns in a test program too, and answers", async () => {
  const warned = once(process, "warning");
  const stubs = [{ operation: "GetHotel", response: { stars: 9 } }];
  await using fake = await startFake(contract, { stacks: [], stubs });
  expect(String((await warned)[0])).toContain(`response.stars: ${stars}`);
  const { input, output } = contract.operation("acme.v1.Hotels.GetHotel");
  const client = await fake.connect("memory");
  const answer = await client.prepare(contract.operation("acme.v1.Hotels.GetHotel"))(create(input));
  expect(toJson(output, answer)).toEqual({ stars: 9 });
});

it.each(["CreateHotel", "AddHotel", "InsertHotel"])("keeps what a stream of %s answers", async (name) => {
  const operation = contract.operation(`acme.v1.Hotels.${name}`);
  const response = { id: "mine", stars: 3, title: "Mine" };
  const answer = name === "CreateHotel" ? { response } : { responses: [response] };
  const { service } = createFake({ contract, stubs: [{ operation: name, ...answer }] });
  async function* requests() {
    yield fromJson(operation.input, { hotel: { id: "mine", stars: 1 } });
  }
  const answers: JsonObject[] = [];
  for await (const message of service.stream(operation, requests(), new ServerCall()))
    answers.push(toJson(operation.output, message) as JsonObject);
  expect(answers).toEqual([response]);
  const get = contract.operation("acme.v1.Hotels.GetHotel");
  const found = await service.call(get, fromJson(get.input, { id: "mine" }), new ServerCall());
  expect(toJson(get.output, found)).toEqual(response);
});
