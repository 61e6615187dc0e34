// New resources begin at the beginning, and a repeated request changes nothing again.
import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { type CallError, type Operation, ServerCall } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { callsTo } from "../support/calls-to.ts";

const outputOnly = "[(google.api.field_behavior) = OUTPUT_ONLY]";

/** A contract of bookings with these states, by their names in order, and these custom methods, each with its options behind it. */
function bookings(values: string, verbs: readonly string[], behavior = outputOnly, field = "state") {
  return compileContract(`
syntax = "proto3";
package acme.stay.v1;
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
service StayService {
  rpc GetStay(GetStayRequest) returns (Stay) { option (google.api.http) = {get: "/v1/{name=stays/*}"}; }
  rpc CreateStay(CreateStayRequest) returns (Stay) { option (google.api.http) = {post: "/v1/stays" body: "stay"}; }
  rpc ListStays(ListStaysRequest) returns (ListStaysResponse) { option (google.api.http) = {get: "/v1/stays"}; }
  rpc LivelyGuest(GetStayRequest) returns (Guest) { option (google.api.http) = {post: "/v1/{name=guests/*}:lively"}; }
  rpc DeleteStay(GetStayRequest) returns (Stay) { option (google.api.http) = {delete: "/v1/{name=stays/*}"}; }
  ${verbs
    .map((text) => text.split(/ (.*)/))
    .map(
      ([verb = "", options = ""]) =>
        `rpc ${verb}Stay(ChangeStayRequest) returns (Stay) { ${options} option (google.api.http) = {post: "/v1/{name=stays/*}:${verb.toLowerCase()}" body: "*"}; }`,
    )
    .join("\n  ")}
}
message Stay {
  option (google.api.resource) = {type: "stay.acme.dev/Stay" pattern: "stays/{stay}"};
  string name = 1 [(google.api.field_behavior) = IDENTIFIER];
  State ${field} = 2 ${behavior};
  string note = 3;
}
enum State { ${values
    .split(" ")
    .map((name, number) => `${name} = ${number};`)
    .join(" ")} }
message Guest { string name = 1; }
message GetStayRequest { string name = 1; }
message ChangeStayRequest { string name = 1; string request_id = 2; string idempotency_key = 3; }
message CreateStayRequest { Stay stay = 1; string stay_id = 2; string request_id = 3; bool validate_only = 4; }
message ListStaysRequest { int32 page_size = 1; string page_token = 2; }
message ListStaysResponse { repeated Stay stays = 1; string next_page_token = 2; int32 total_size = 3; }
`);
}

const usual = "STATE_UNSPECIFIED PENDING CONFIRMED CANCELLED";

describe("a new resource", () => {
  it.each([
    ["with the first value that says something", usual, ["Confirm", "Cancel"], "PENDING"],
    ["with the first without methods too", usual, [], "PENDING"],
    ["not with a value to which a method leads", "STATE_UNSPECIFIED CONFIRMED PENDING", ["Confirm"], "PENDING"],
    ["with the zero value if it says something", "OPEN SEALED", ["Seal"], "OPEN"],
    ["not with a zero value to which a method leads", "SEALED OPEN", ["Seal"], "OPEN"],
    ["with the one that its creation leads to", "STATE_UNSPECIFIED SEALED CREATED", ["Pack"], "CREATED"],
    ["not with one that its start leads to", "STATE_UNSPECIFIED RUNNING PAUSED NEW", ["Start", "Pause"], "NEW"],
    ["not with one that is called as its list", "STATE_UNSPECIFIED LISTED DELISTED", ["Delist"], "LISTED"],
    ["with one that a method leads back to", "STATE_UNSPECIFIED ACTIVE PAUSED EXPIRED", ["Pause", "Resume"], "ACTIVE"],
    ["not with an end", "STATE_UNSPECIFIED STOPPED RUNNING FAILED", ["Start", "Stop"], "STOPPED"],
    ["with one to leave behind an end", "STATE_UNSPECIFIED RUNNING DONE QUEUED", ["Run", "Cancel"], "QUEUED"],
    ["with one that is opened again", "STATE_UNSPECIFIED OPEN CLOSED", ["Close", "Reopen"], "OPEN"],
    ["whatever methods of others lead to", "STATE_UNSPECIFIED LIVELY RETURNED OVERDUE", ["Return"], "LIVELY"],
    ["with what is not complete", "STATE_UNSPECIFIED INCOMPLETE ACTIVE PAUSED", ["Pause"], "INCOMPLETE"],
    ["with what has not started", "STATE_UNSPECIFIED NOT_STARTED RUNNING DONE", ["Start", "Finish"], "NOT_STARTED"],
    ["not with what is united", "STATE_UNSPECIFIED UNITED DRAFT", ["Unite"], "DRAFT"],
    ["with the first value if methods lead to all", "STATE_UNKNOWN SEALED ARCHIVED", ["Archive", "Seal"], "SEALED"],
  ])("begins %s", async (_what, values, verbs, first) => {
    const names = values.split(" ").map((name) => `STATE_${name.replace(/^STATE_/, "")}`);
    for (const seed of [1, 2, 3]) {
      const call = callsTo(bookings(names.join(" "), verbs), seed);
      // oxlint-disable-next-line no-await-in-loop
      const { name, state } = await call("CreateStay", { stay: {} });
      // The zero value is left out of JSON.
      expect(state ?? names[0]).toBe(`STATE_${first}`);
      // oxlint-disable-next-line no-await-in-loop
      expect((await call("GetStay", { name: name as string }))["state"] ?? names[0]).toBe(`STATE_${first}`);
    }
  });

  it("has the state that its caller sends, where callers may set it", async () => {
    const call = callsTo(bookings(usual, ["Confirm"], ""), 1);
    expect((await call("CreateStay", { stay: { state: "CANCELLED" } }))["state"]).toBe("CANCELLED");
    expect((await call("CreateStay", { stay: {} }))["state"]).toBe("PENDING");
  });
});

it.each([
  ["CheckIn", "CHECKED_IN"],
  ["CheckOut", "CHECKED_OUT"],
  ["Deactivate", "INACTIVE"],
  ["Freeze", "FROZEN"],
  ["Finish", "DONE"],
  ["Free", "FREE"],
  ["Unfreeze", "ACTIVE"],
])("%s leads to %s", async (verb, state) => {
  const values = "STATE_UNSPECIFIED ACTIVE CHECKED_OUT CHECKED_IN INACTIVE FREE FROZEN DONE";
  const call = callsTo(bookings(values, ["Freeze", ...(verb === "Freeze" ? [] : [verb])]), 1);
  const { name = "" } = await call("CreateStay", { stay: {} });
  expect((await call("FreezeStay", { name }))["state"]).toBe("FROZEN");
  expect((await call(`${verb}Stay`, { name }))["state"]).toBe(state);
});

/** The only value of a stay beside its name. */
function stateIn({ name: _name, note: _note, ...state }: JsonObject): unknown {
  return Object.values(state)[0];
}

it.each(["phase", "lifecycle_state", "stay_status"])("a %s is a state", async (field) => {
  for (const seed of [1, 2, 3]) {
    const call = callsTo(
      bookings("STATE_UNSPECIFIED CLOSED OPEN PACKED", ["Close", "Reopen"], outputOnly, field),
      seed,
    );
    // oxlint-disable-next-line no-await-in-loop
    const stay = await call("CreateStay", { stay: {} });
    expect(stateIn(stay)).toBe("OPEN");
    const { name = "" } = stay;
    // oxlint-disable-next-line no-await-in-loop
    expect(stateIn(await call("CloseStay", { name }))).toBe("CLOSED");
    // oxlint-disable-next-line no-await-in-loop
    expect(stateIn(await call("ReopenStay", { name }))).toBe("OPEN");
  }
});

function create(stay: JsonObject, more: JsonObject = {}): JsonObject {
  return { stay, requestId: "r-1", ...more };
}

describe("a method whose state is reached already", () => {
  const marked = "option idempotency_level = IDEMPOTENT;";
  it.each([
    ["is refused where the contract marks other methods as repeatable", "", marked, true],
    ["answers again where it is marked itself", marked, "", false],
    ["answers again where the contract marks nothing", "", "", false],
  ])("%s", async (_what, confirming, cancelling, isRefused) => {
    const call = callsTo(bookings(usual, [`Confirm ${confirming}`, `Cancel ${cancelling}`]), 1);
    const { name = "" } = await call("CreateStay", { stay: {} });
    const confirmed = await call("ConfirmStay", { name });
    const again = await call("ConfirmStay", { name }).catch(({ code, message }: CallError) => `${code}: ${message}`);
    expect(again).toEqual(isRefused ? `FAILED_PRECONDITION: stay ${name as string} is confirmed already` : confirmed);
    expect(await call("GetStay", { name })).toEqual(confirmed);
    expect(await call("CancelStay", { name })).toMatchObject({ state: "CANCELLED" });
  });
});

describe("a repeated request", () => {
  it("gets the first answer, and changes nothing again", async () => {
    const call = callsTo(bookings(usual, ["Confirm"]), 1);
    const before = (await call("ListStays", {}))["totalSize"] as number;
    const first = await call("CreateStay", create({ note: "first" }));
    expect(await call("CreateStay", create({ note: "second" }))).toEqual(first);
    expect((await call("ListStays", {}))["totalSize"]).toBe(before + 1);
    expect(await call("CreateStay", create({ note: "second" }, { requestId: "r-2" }))).toMatchObject({
      note: "second",
    });
    // Another operation has ids of its own.
    const name = first["name"] as string;
    expect(await call("ConfirmStay", { name, requestId: "r-1" })).toMatchObject({ name, state: "CONFIRMED" });
  });

  it("has its id in `idempotency_key` too", async () => {
    const call = callsTo(bookings(usual, ["Confirm", "Cancel"]), 1);
    const { name = "" } = await call("CreateStay", { stay: {} });
    const confirmed = await call("ConfirmStay", { name, idempotencyKey: "k-1" });
    const cancelled = await call("CancelStay", { name, idempotencyKey: "k-1" });
    expect(await call("ConfirmStay", { name, idempotencyKey: "k-1" })).toEqual(confirmed);
    expect(await call("GetStay", { name })).toEqual(cancelled);
  });

  it("has its id in a header too, where it is equal to the first", async () => {
    const contract = bookings(usual, []);
    const service = generatedService(contract, 1);
    const operation = contract.operations.find(({ method }) => method.name === "CreateStay") as Operation;
    const send = async (note: string): Promise<JsonObject> => {
      const request = fromJson(operation.input, { stay: { note } });
      const call = new ServerCall(undefined, new Map([["idempotency-key", "k-1"]]));
      return toJson(operation.output, await service.call(operation, request, call)) as JsonObject;
    };
    const first = await send("first");
    expect(await send("first")).toEqual(first);
    expect(await send("second")).toMatchObject({ note: "second" });
  });

  it("is tried anew after an error and after a trial", async () => {
    const call = callsTo(bookings(usual, []), 1);
    const named = { stayId: "mine" };
    await call("CreateStay", create({}, { ...named, validateOnly: true }));
    await expect(call("GetStay", { name: "stays/mine" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await call("CreateStay", { stay: {}, ...named });
    await expect(call("CreateStay", create({}, named))).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
    await call("DeleteStay", { name: "stays/mine" });
    expect(await call("CreateStay", create({}, named))).toMatchObject({ name: "stays/mine" });
  });
});
