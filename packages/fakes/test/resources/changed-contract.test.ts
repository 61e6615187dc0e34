// A changed contract keeps the state of sessions as far as it can, and names what it resets and why.
import { fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { type Contract, isSameContract, ServerCall } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { createFake, type Fake } from "../../src/fake/fake.ts";
import { variantsOf } from "../../../stacks/test/support/compile-contract.ts";
import { type Call, callsTo } from "../support/calls-to.ts";

const source = `
syntax = "proto3";
package acme.inn.v1;
import "google/api/annotations.proto";
import "google/longrunning/operations.proto";
import "google/protobuf/empty.proto";
service InnService {
  rpc GetGuest(GetGuestRequest) returns (Guest) { option (google.api.http) = {get: "/v1/{name=guests/*}"}; }
  rpc ListGuests(ListGuestsRequest) returns (ListGuestsResponse) { option (google.api.http) = {get: "/v1/guests"}; }
  rpc CreateGuest(CreateGuestRequest) returns (Guest) { option (google.api.http) = {post: "/v1/guests" body: "guest"}; }
  rpc UpdateGuest(UpdateGuestRequest) returns (Guest) { option (google.api.http) = {patch: "/v1/{guest.name=guests/*}" body: "guest"}; }
  rpc DeleteGuest(GetGuestRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/{name=guests/*}"}; }
  rpc GetStay(GetStayRequest) returns (Stay) { option (google.api.http) = {get: "/v1/{name=guests/*/stays/*}"}; }
  rpc ListStays(ListStaysRequest) returns (ListStaysResponse) { option (google.api.http) = {get: "/v1/{parent=guests/*}/stays"}; }
  rpc CreateStay(CreateStayRequest) returns (Stay) { option (google.api.http) = {post: "/v1/{parent=guests/*}/stays" body: "stay"}; }
  rpc PrintGuest(GetGuestRequest) returns (google.longrunning.Operation) {
    option (google.api.http) = {post: "/v1/{name=guests/*}:print"};
    option (google.longrunning.operation_info) = {response_type: "Guest" metadata_type: "Guest"};
  }
  rpc GetOperation(google.longrunning.GetOperationRequest) returns (google.longrunning.Operation) { option (google.api.http) = {get: "/v1/{name=operations/*}"}; }
}
message Guest {
  string name = 1;
  string email = 2;
  Mood mood = 3;
  Address address = 4;
  repeated string tags = 5;
  string nick = 6;
}
message Address { string city = 1; }
enum Mood { MOOD_UNSPECIFIED = 0; GLAD = 1; GRUMPY = 2; }
message Stay { string name = 1; int32 nights = 2; }
message GetGuestRequest { string name = 1; }
message ListGuestsRequest { int32 page_size = 1; string page_token = 2; }
message ListGuestsResponse { repeated Guest guests = 1; string next_page_token = 2; int32 total_size = 3; }
message CreateGuestRequest { Guest guest = 1; string guest_id = 2; string request_id = 3; }
message UpdateGuestRequest { Guest guest = 1; }
message GetStayRequest { string name = 1; }
message ListStaysRequest { string parent = 1; int32 page_size = 2; string page_token = 3; }
message ListStaysResponse { repeated Stay stays = 1; string next_page_token = 2; }
message CreateStayRequest { string parent = 1; Stay stay = 2; string stay_id = 3; }
`;

const wellKnown = ["Any", "Timestamp", "Duration", "FieldMask", "Value"];
const withWellKnown = source
  .replace(
    "string nick = 6;",
    `$& ${wellKnown.map((name, at) => `google.protobuf.${name} more${at} = ${at + 7};`).join(" ")}`,
  )
  .replace(
    'import "google/protobuf/empty.proto";',
    ["any", "duration", "empty", "field_mask", "struct", "timestamp"]
      .map((name) => `import "google/protobuf/${name}.proto";`)
      .join("\n"),
  );

const compiled = variantsOf("acme");
const original = compiled(source);

function edited(before: string, after: string): () => Contract {
  expect(source).toContain(before);
  return compiled(source.replaceAll(before, after));
}

const withNumber = edited("string email = 2;", "int32 email = 2;");
const withShoe = edited("string nick = 6;", "string nick = 6; string shoe = 7;");

const callsOf = (fake: Fake): Call => callsTo(fake.contract, 1, fake.service);

const ada = { email: "ada@example.com", mood: "GLAD", address: { city: "Rome" }, tags: ["a", "b"] };
const requestId = "7f9c24e8-3b12-4fef-91e0-56a2d5a0e6a1";

/** A fake with a guest of its own, a changed and a deleted initial one, and a stay of each kind of guest. */
async function usedFake(): Promise<Fake> {
  const fake = createFake({ contract: original() });
  const call = callsOf(fake);
  await call("CreateGuest", { guest: ada, guestId: "ada", requestId });
  await call("UpdateGuest", { guest: { name: "guests/guest-2", email: "second@example.com" } });
  await call("DeleteGuest", { name: "guests/guest-3" });
  await call("CreateStay", { parent: "guests/ada", stay: { nights: 3 }, stayId: "new" });
  await call("CreateStay", { parent: "guests/guest-1", stay: { nights: 4 }, stayId: "new" });
  return fake;
}

const valueOrCode = (answer: Promise<JsonObject>): Promise<unknown> =>
  answer.catch((thrown: unknown) => (thrown as { code: string }).code);

/** All guests and stays that a caller has changed, as they are. */
async function stateOf(fake: Fake) {
  const call = callsOf(fake);
  const [own, changed, deleted, deep, below] = await Promise.all([
    valueOrCode(call("GetGuest", { name: "guests/ada" })),
    valueOrCode(call("GetGuest", { name: "guests/guest-2" })),
    valueOrCode(call("GetGuest", { name: "guests/guest-3" })),
    valueOrCode(call("GetStay", { name: "guests/ada/stays/new" })),
    valueOrCode(call("GetStay", { name: "guests/guest-1/stays/new" })),
  ]);
  return { own, changed, deleted, deep, below };
}

const resetsBy = (fake: Fake, changed: () => Contract) =>
  fake.replace({ contract: changed() }).resets.map(({ names: [name], count, why }) => `${count} ${name}: ${why}`);

function namesIn({ guests }: JsonObject): unknown {
  return (guests as readonly JsonObject[]).map(({ name }) => name);
}

describe("state is kept", () => {
  it.each<readonly [string, () => Contract]>([
    ["with another field", edited("string nick = 6;", "string nick = 6; int32 age = 7;")],
    ["with another value of an enum", edited("GRUMPY = 2;", "GRUMPY = 2; SLEEPY = 3;")],
    ["with another field inside", edited("string city = 1;", "string city = 1; string zip = 2;")],
    ["with another message", edited("message Address", "message Unused {}\nmessage Address")],
    [
      "with fields in another order",
      edited("  string email = 2;\n  Mood mood = 3;", "  Mood mood = 3;\n  string email = 2;"),
    ],
    ["with another operation", edited("  rpc GetStay", "  rpc Ping(GetStayRequest) returns (Stay);\n  rpc GetStay")],
  ])("%s", async (_what, changed) => {
    const fake = await usedFake();
    const before = await stateOf(fake);
    expect(before.own).toMatchObject(ada);
    const total = (await callsOf(fake)("ListGuests"))["totalSize"];
    expect(resetsBy(fake, changed)).toEqual([]);
    expect(await stateOf(fake)).toEqual(before);
    expect((await callsOf(fake)("ListGuests"))["totalSize"]).toBe(total);
  });

  it.each<readonly [string, () => Contract]>([
    ["without", edited("  string nick = 6;\n", "")],
    ["with another type of", edited("string nick = 6;", "bytes nick = 6;")],
  ])("%s a field that nobody set", async (_what, changed) => {
    const fake = createFake({ contract: original() });
    await callsOf(fake)("CreateGuest", { guest: ada, guestId: "ada" });
    expect(resetsBy(fake, changed)).toEqual([]);
    expect(await callsOf(fake)("GetGuest", { name: "guests/ada" })).toMatchObject(ada);
  });

  it("initial resources have new fields, and pages, remembered requests and operations go on", async () => {
    const fake = await usedFake();
    const first = await callsOf(fake)("ListGuests", { pageSize: 10 });
    const rest = await callsOf(fake)("ListGuests", { pageToken: first["nextPageToken"] as string });
    const { name } = await callsOf(fake)("PrintGuest", { name: "guests/ada" });
    expect(resetsBy(fake, withShoe)).toEqual([]);
    const call = callsOf(fake);
    expect(await call("GetGuest", { name: "guests/guest-1" })).toHaveProperty("shoe");
    expect(namesIn(await call("ListGuests", { pageToken: first["nextPageToken"] as string }))).toEqual(namesIn(rest));
    expect(await call("CreateGuest", { guest: {}, requestId })).toMatchObject(ada);
    expect(await call("GetOperation", { name: name as string })).toMatchObject({ done: true, response: ada });
    const { name: next } = await call("PrintGuest", { name: "guests/ada" });
    expect(next).not.toBe(name);
  });

  it("the next resources get keys and times behind those of before", async () => {
    const fake = await usedFake();
    const { name } = await callsOf(fake)("CreateGuest", { guest: {} });
    expect(resetsBy(fake, withShoe)).toEqual([]);
    expect((await callsOf(fake)("CreateGuest", { guest: {} }))["name"]).not.toBe(name);
  });
});

async function guestsOf(contract: () => Contract): Promise<readonly JsonObject[]> {
  const { guests } = await callsOf(createFake({ contract: contract() }))("ListGuests", { pageSize: 100 });
  return guests as readonly JsonObject[];
}

describe("what was made up is kept", () => {
  const nick = "string nick = 6;";

  it.each<readonly [string, () => Contract]>([
    ["a field at the end", edited(nick, `${nick} int32 age = 7;`)],
    ["a field at the beginning", edited("  string email = 2;", "  string note = 9;\n  string email = 2;")],
    ["a list", edited(nick, `${nick} repeated string notes = 7;`)],
    ["a map", edited(nick, `${nick} map<string, int32> notes = 7;`)],
    ["a message", edited(nick, `${nick} Address work = 7;`)],
    ["a message in a list", edited(nick, `${nick} repeated Address former = 7;`)],
    ["a oneof", edited(nick, `${nick} oneof visit { string room = 7; Address home = 8; }`)],
    ["a field of a message inside", edited("string city = 1;", "string zip = 2; string city = 1;")],
    ["a field of another resource", edited("int32 nights = 2;", "int32 nights = 2; int32 beds = 3;")],
  ])("beside %s", async (_what, changed) => {
    const [before, after] = await Promise.all([guestsOf(() => original()), guestsOf(changed)]);
    expect(before.length).toBeGreaterThan(50);
    expect(after).toMatchObject(before);
  });

  const choice = compiled(source.replace(nick, "oneof called { string nick = 6; string title = 7; }"));
  it.each<readonly [string, () => Contract, () => Contract, (guest: JsonObject) => boolean]>([
    [
      "value of an enum",
      () => original(),
      edited("GRUMPY = 2;", "GRUMPY = 2; SLEEPY = 3;"),
      ({ mood }) => mood === "SLEEPY",
    ],
    [
      "field of a oneof",
      choice,
      compiled(source.replace(nick, "oneof called { string nick = 6; string title = 7; string rank = 8; }")),
      ({ rank }) => rank !== undefined,
    ],
  ])("except where a further %s is chosen", async (_what, from, to, isChosen) => {
    const [before, after] = await Promise.all([guestsOf(from), guestsOf(to)]);
    const kept = before.filter((_guest, at) => !isChosen(after[at] as JsonObject));
    expect(after.filter((guest) => !isChosen(guest))).toEqual(kept);
    expect(kept.length).toBeGreaterThan(0.4 * before.length);
    expect(kept.length).toBeLessThan(before.length);
  });
});

describe("state is reset, with the reason,", () => {
  const belongs = "1 stay: what they belong to was reset";
  it.each<readonly [string, () => Contract, string]>([
    ["for another type", withNumber, "field `email` has another type"],
    ["for another number", edited("string email = 2;", "string email = 12;"), "field `email` has another number"],
    ["for another name", edited("string email = 2;", "string mail = 2;"), "field `email` is called `mail`"],
    ["for a removed field", edited("  string email = 2;\n", ""), "field `email` was removed"],
    ["for a list", edited("string email = 2;", "repeated string email = 2;"), "field `email` has another type"],
    [
      "for a list that is none any more",
      edited("repeated string tags", "string tags"),
      "field `tags` has another type",
    ],
    [
      "for a name in JSON",
      edited("string email = 2;", 'string email = 2 [json_name = "e"];'),
      "field `email` has another name in JSON",
    ],
    ["for another name of a value", edited("GLAD = 1;", "MERRY = 1;"), "field `mood` has other values"],
    [
      "for another number of a value",
      edited("GLAD = 1; GRUMPY = 2;", "GRUMPY = 1; GLAD = 2;"),
      "field `mood` has other values",
    ],
    ["for a field inside", edited("string city = 1;", "bytes city = 1;"), "field `city` has another type"],
    ["for another message inside", edited("  Address address", "  Stay address"), "field `address` has another type"],
    ["for another form of names", edited("guests/*", "people/*"), "their names have another form"],
  ])("%s", async (what, changed, why) => {
    const fake = await usedFake();
    const resets = resetsBy(fake, changed);
    expect(resets).toContain(`3 guest: ${why}`);
    expect(await valueOrCode(callsOf(fake)("GetGuest", { name: "guests/ada" }))).toBe("NOT_FOUND");
    if (what === "for another form of names") return;
    expect((await stateOf(fake)).deleted).toHaveProperty("name");
    // A stay of a guest who is gone is gone too.
    expect(resets.filter((text) => text.includes("stay"))).toEqual([
      expect.stringMatching(belongs.replace("1", "\\d")) as string,
    ]);
  });

  const without = compiled(
    source.replace("  rpc CreateStay", "  rpc Add").replaceAll(/  rpc (?:Get|List)Stays?\(.*\n/g, ""),
  );

  it("for those that belong to nothing any more", async () => {
    const fake = await usedFake();
    const { resets } = fake.replace({ contract: without() });
    expect(resets).toMatchObject([{ names: ["stay", "stays"], count: 2, why: "Stay is no longer a resource" }]);
  });

  const [known, shod] = ["", " string shoe = 12;"].map((field) =>
    compiled(withWellKnown.replace("string nick = 6;", `$&${field}`)),
  ) as [() => Contract, () => Contract];

  // Over gRPC, requests may have values that JSON has not.
  it.each<readonly [type: string, field: number, bytes: readonly number[]]>([
    ["an Any of an unknown type", 7, [0x0a, 5, ...Buffer.from("x/a.B")]],
    ["a Timestamp out of range", 8, [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["a Duration out of range", 9, [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["a FieldMask with capitals", 10, [0x0a, 4, ...Buffer.from("aB_c")]],
    ["a Value of no kind", 11, []],
  ])("for %s", async (_what, field, bytes) => {
    const fake = createFake({ contract: known() });
    const operation = fake.contract.operation("acme.inn.v1.InnService.CreateGuest");
    const guest = [0x0a, bytes.length + 2, (field << 3) | 2, bytes.length, ...bytes];
    await fake.service.call(operation, fromBinary(operation.input, Uint8Array.from(guest)), new ServerCall());
    expect(fake.replace({ contract: shod() }).resets).toEqual([
      { names: ["guest", "guests"], count: 1, why: "a Guest has no form in JSON" },
    ]);
    expect(await callsOf(fake)("GetGuest", { name: "guests/guest-1" })).toHaveProperty("shoe");
  });

  it("and what nobody changed is not named", async () => {
    const fake = createFake({ contract: original() });
    await callsOf(fake)("ListGuests");
    expect(resetsBy(fake, withNumber)).toEqual([]);
  });
});

describe("two contracts are equal", () => {
  it.each<readonly [string, () => Contract, boolean]>([
    ["by themselves", compiled(source), true],
    ["with comments", compiled(source.replace("message Guest", "// Who stays.\nmessage Guest")), true],
    ["with other spaces", compiled(source.replaceAll("  string", "      string")), true],
    [
      "but not with another field",
      compiled(source.replace("string nick = 6;", "string nick = 6; int32 age = 7;")),
      false,
    ],
    [
      "but not with another option",
      compiled(source.replace("string nick = 6;", "string nick = 6 [deprecated = true];")),
      false,
    ],
    ["but not with another path", compiled(source.replace('"/v1/guests"}', '"/v2/guests"}')), false],
  ])("%s", (_what, contract, isEqual) => {
    expect(isSameContract(original(), contract())).toBe(isEqual);
  });
});
