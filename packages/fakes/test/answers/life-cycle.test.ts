// Times go with the state of their message and with each other: what is on its way has no time of delivery, and nothing is returned before it was borrowed.
import { toJson, type JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ServerCall } from "@roundtrip/contract";
import { describe, expect, test } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { generatedService } from "../../src/index.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const contract = compileContract(`
syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/timestamp.proto";
service Shop {
  rpc GetOrder(GetOrderRequest) returns (Order) { option (google.api.http) = { get: "/v1/{name=orders/*}" }; }
  rpc CreateOrder(CreateOrderRequest) returns (Order) { option (google.api.http) = { post: "/v1/orders" body: "order" }; }
  rpc DeleteOrder(DeleteOrderRequest) returns (Order) { option (google.api.http) = { delete: "/v1/{name=orders/*}" }; }
  rpc ShipOrder(GetOrderRequest) returns (Order) { option (google.api.http) = { post: "/v1/{name=orders/*}:ship" body: "*" }; }
  rpc GetTrip(GetTripRequest) returns (Trip) { option (google.api.http) = { get: "/v1/{name=trips/*}" }; }
  rpc CreateTrip(CreateTripRequest) returns (Trip) { option (google.api.http) = { post: "/v1/trips" body: "trip" }; }
  rpc ConfirmTrip(GetTripRequest) returns (Trip) { option (google.api.http) = { post: "/v1/{name=trips/*}:confirm" body: "*" }; }
  rpc StartTrip(GetTripRequest) returns (Trip) { option (google.api.http) = { post: "/v1/{name=trips/*}:start" body: "*" }; }
  rpc CloseTrip(GetTripRequest) returns (Trip) { option (google.api.http) = { post: "/v1/{name=trips/*}:close" body: "*" }; }
  rpc ReopenTrip(GetTripRequest) returns (Trip) { option (google.api.http) = { post: "/v1/{name=trips/*}:reopen" body: "*" }; }
  rpc GetItem(GetItemRequest) returns (Item) { option (google.api.http) = { get: "/v1/{name=orders/*/items/*}" }; }
  rpc CreateItem(CreateItemRequest) returns (Item) { option (google.api.http) = { post: "/v1/{parent=orders/*}/items" body: "item" }; }
}
message GetOrderRequest { string name = 1; }
message DeleteOrderRequest { string name = 1; bool force = 2; }
message CreateOrderRequest { Order order = 1; }
message GetItemRequest { string name = 1; }
message CreateItemRequest { string parent = 1; Item item = 2; }
message Item { string name = 1; }
enum OrderState { ORDER_STATE_UNSPECIFIED = 0; PENDING = 1; PAID = 2; SHIPPED = 3; DELIVERED = 4; CANCELLED = 5; }
message Order {
  option (google.api.resource) = { type: "shop.example.com/Order" pattern: "orders/{order}" };
  string name = 1;
  OrderState state = 2 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp deliver_time = 3 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp ship_time = 4 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp payment_time = 5 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp order_time = 6 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp cancellation_time = 7 [(google.api.field_behavior) = OUTPUT_ONLY];
}
enum LoanState { LOAN_STATE_UNSPECIFIED = 0; ACTIVE = 1; RETURNED = 2; OVERDUE = 3; }
message Loan {
  LoanState state = 1;
  google.protobuf.Timestamp returned_at = 2;
  google.protobuf.Timestamp borrowed_at = 3;
  google.protobuf.Timestamp due_at = 4;
  int32 renewals = 5;
}
enum TripState { TRIP_STATE_UNSPECIFIED = 0; OPEN = 1; CONFIRMED = 2; STARTED = 3; CLOSED = 4; }
message Trip {
  option (google.api.resource) = { type: "shop.example.com/Trip" pattern: "trips/{trip}" };
  string name = 1;
  TripState state = 2;
  google.protobuf.Timestamp start_time = 3 [(google.api.field_behavior) = REQUIRED];
  google.protobuf.Timestamp close_time = 4;
  google.protobuf.Timestamp confirmed_at = 5 [(google.api.field_behavior) = OUTPUT_ONLY];
}
message CreateTripRequest { Trip trip = 1; }
message GetTripRequest { string name = 1; }
message Book { string isbn = 1; repeated string genres = 2; }
`);

const maker = new AnswerMaker(contract, 1);

function madeUp(name: string): readonly JsonObject[] {
  const desc = contract.registry.getMessage(`shop.v1.${name}`);
  if (desc === undefined) throw new Error(`no message ${name}`);
  const draws = Array.from({ length: 200 }, (_, seed) => new Draw([seed, 0, 0, 0]));
  return draws.map((draw) => toJson(desc, maker.message(desc, draw)) as JsonObject);
}

/** The names of times that are set, in the order of the times. */
function happened(message: JsonObject, names: readonly string[]): readonly string[] {
  const set = names.filter((name) => message[name] !== undefined);
  return set.toSorted((a, b) => Date.parse(message[a] as string) - Date.parse(message[b] as string));
}

function ofState(name: string, state: string): readonly JsonObject[] {
  const found = madeUp(name).filter((message) => message["state"] === state);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

const orderTimes = ["orderTime", "paymentTime", "shipTime", "deliverTime", "cancellationTime"];

describe("made-up times", () => {
  test.each([
    ["PENDING", ["orderTime"]],
    ["PAID", ["orderTime", "paymentTime"]],
    ["SHIPPED", ["orderTime", "paymentTime", "shipTime"]],
    ["DELIVERED", ["orderTime", "paymentTime", "shipTime", "deliverTime"]],
    ["CANCELLED", ["orderTime", "cancellationTime"]],
  ])("of an order that is %s are those of what has happened, in their order", (state, expected) => {
    for (const order of ofState("Order", state)) expect(happened(order, orderTimes)).toEqual(expected);
  });

  test.each([
    ["ACTIVE", ["borrowedAt", "dueAt"], true],
    ["RETURNED", ["borrowedAt", "returnedAt", "dueAt"], true],
    ["OVERDUE", ["borrowedAt", "dueAt"], false],
  ])("of a loan that is %s", (state, expected, isAhead) => {
    for (const loan of ofState("Loan", state)) {
      expect(happened(loan, ["returnedAt", "borrowedAt", "dueAt"])).toEqual(expected);
      expect((loan["dueAt"] as string) > "2030").toBe(isAhead);
      expect(loan["renewals"]).toBeLessThan(7);
    }
  });
});

test("an ISBN has its check digit, and a list of texts no text twice", () => {
  for (const { isbn, genres } of madeUp("Book")) {
    expect(isbn).toMatch(/^978\d{10}$/);
    const digits = Array.from(isbn as string, Number);
    const sum = digits.reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
    expect(sum % 10).toBe(0);
    expect(new Set(genres as readonly string[]).size).toBe((genres as readonly string[]).length);
  }
});

describe("a stored order", () => {
  const service = generatedService(contract, 1);
  const call = async (method: string, request: object): Promise<JsonObject> => {
    const operation = contract.operation(`shop.v1.Shop.${method}`);
    const message = { $typeName: operation.input.typeName, ...request };
    const answer = await service.call(operation, message, new ServerCall(undefined, new Map()));
    return toJson(operation.output, answer as never) as JsonObject;
  };

  test("has no time of what is ahead, and gets it from the method that leads there", async () => {
    const created = await call("CreateOrder", { order: { $typeName: "shop.v1.Order" } });
    expect(created["state"]).toBe("PENDING");
    expect(happened(created, orderTimes)).toEqual(["orderTime"]);
    const shipped = await call("ShipOrder", { name: created["name"] });
    expect(shipped["state"]).toBe("SHIPPED");
    expect(happened(shipped, orderTimes)).toEqual(["orderTime", "shipTime"]);
  });

  const planned = { startTime: "2031-01-02T00:00:00Z", closeTime: "2031-01-03T00:00:00Z" };

  /** A trip whose caller has planned its times. */
  async function newTrip(): Promise<{ readonly name: unknown }> {
    const [startTime, closeTime] = Object.values(planned).map((time) => timestampFromDate(new Date(time)));
    const { name, ...created } = await call("CreateTrip", {
      trip: { $typeName: "shop.v1.Trip", startTime, closeTime },
    });
    expect(created).toEqual({ state: "OPEN", ...planned });
    return { name };
  }

  test("keeps the times that its caller has planned, until they have come", async () => {
    const { name } = await newTrip();
    const confirmed = await call("ConfirmTrip", { name });
    expect(confirmed).toMatchObject({ state: "CONFIRMED", ...planned });
    expect(confirmed["confirmedAt"]).toBeDefined();
    expect(await call("StartTrip", { name })).toMatchObject({ state: "STARTED", ...planned });
    expect(await call("CloseTrip", { name })).toMatchObject({ state: "CLOSED", ...planned });
  });

  test("loses the time of what is undone, and gets another when it comes again", async () => {
    const { name } = await newTrip();
    await call("CloseTrip", { name });
    const reopened = await call("ReopenTrip", { name });
    expect(reopened).toMatchObject({ state: "OPEN", startTime: planned.startTime });
    expect(reopened).not.toHaveProperty("closeTime");
    expect((await call("CloseTrip", { name }))["closeTime"]).toMatch(/^2/);
  });

  test("and its items have errors of one domain, with a reason each", async () => {
    const domain = "shop.example.com";
    await expect(call("GetOrder", { name: "orders/none" })).rejects.toMatchObject({ details: { domain } });
    await expect(call("GetItem", { name: "orders/order-1/items/none" })).rejects.toMatchObject({ details: { domain } });
    await expect(call("DeleteOrder", { name: "orders/order-1" })).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      details: { domain, reason: "ORDER_NOT_EMPTY" },
    });
  });
});
