// Resources in a stream can be found by other calls, over any style.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFake, type StartedFake } from "../../src/fake/start-fake.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const contract = compileContract(`
syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Orders {
  rpc GetOrder(GetOrderRequest) returns (Order) { option (google.api.http) = {get: "/v1/orders/{id}"}; }
  rpc CreateOrder(CreateOrderRequest) returns (Order) { option (google.api.http) = {post: "/v1/orders" body: "order"}; }
  rpc ListOrders(ListOrdersRequest) returns (ListOrdersResponse) { option (google.api.http) = {get: "/v1/orders"}; }
  rpc WatchOrders(WatchOrdersRequest) returns (stream Order);
  rpc FollowOrders(WatchOrdersRequest) returns (stream OrderEvent);
  rpc TrackOrder(GetOrderRequest) returns (stream OrderEvent);
}
message Order { string id = 1; string item = 2; string status = 3; }
message GetOrderRequest { string id = 1; }
message CreateOrderRequest { Order order = 1; }
message ListOrdersRequest { int32 page_size = 1; }
message ListOrdersResponse { repeated Order orders = 1; }
message WatchOrdersRequest { string status = 1; }
message OrderEvent { string note = 1; Order order = 2; }
`);

type Fields = Readonly<Record<string, unknown>>;

const of = (method: string) => contract.operation(`shop.v1.Orders.${method}`);

async function streamed(client: Client, method: string, request: Fields): Promise<readonly Fields[]> {
  const operation = of(method);
  const answers: Message[] = await Array.fromAsync(client.prepareStream(operation)([create(operation.input, request)]));
  return answers.map((answer): Fields => ({ ...answer }));
}

async function called(client: Client, method: string, request: Fields): Promise<Fields> {
  const operation = of(method);
  return { ...(await client.prepare(operation)(create(operation.input, request))) };
}

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract);
});
afterAll(() => fake.close());

const styles = ["graphql-apollo", "grpc-js", "rest-express"];

describe.each(styles)("a stream over %s", (stack) => {
  it("names orders that can be found over every other style", async () => {
    const client = await fake.connect(stack);
    const orders = await streamed(client, "WatchOrders", {});
    const events = await streamed(client, "FollowOrders", {});
    expect(orders.length).toBeGreaterThan(2);
    expect(events.map(({ order }) => order)).toEqual(orders);
    expect(events.every(({ note }) => note !== "")).toBe(true);
    for (const other of styles) {
      const reader = await fake.connect(other);
      for (const order of orders) expect(await called(reader, "GetOrder", { id: order["id"] })).toEqual(order);
    }
  });

  it("filters as lists do, and contains created resources", async () => {
    const session = fake.session(`narrowed ${stack}`);
    const client = await session.connect(stack);
    const made = await called(client, "CreateOrder", { order: { item: "tea", status: `seen over ${stack}` } });
    expect(await streamed(client, "WatchOrders", { status: `seen over ${stack}` })).toEqual([made]);
    expect(await streamed(client, "WatchOrders", { status: "never seen" })).toEqual([]);
  });

  it("of one order contains only that order", async () => {
    const client = await fake.connect(stack);
    const [order] = await streamed(client, "WatchOrders", {});
    const events = await streamed(client, "TrackOrder", { id: order?.["id"] });
    expect(events.map((event) => event["order"])).toEqual([order]);
    await expect(streamed(client, "TrackOrder", { id: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
