// A list has only what is below the parent that its request names, in whichever of its paths, with or without annotations.
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { failing, list } from "./library.ts";
import { callsTo } from "../support/calls-to.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.tour.v1;
import "google/api/annotations.proto";
service Tours {
  rpc GetHotel(GetHotelRequest) returns (Hotel) { option (google.api.http) = {get: "/v1/{name=hotels/*}"}; }
  rpc ListHotels(ListHotelsRequest) returns (ListHotelsResponse) { option (google.api.http) = {get: "/v1/hotels"}; }
  rpc ListReviews(ListReviewsRequest) returns (ListReviewsResponse) { option (google.api.http) = {get: "/v1/{parent=hotels/*}/reviews"}; }
  rpc CreateReview(CreateReviewRequest) returns (Review) { option (google.api.http) = {post: "/v1/{parent=hotels/*}/reviews" body: "review"}; }
  rpc GetRoom(GetRoomRequest) returns (Room) { option (google.api.http) = {get: "/v1/{name=hotels/*/rooms/*}"}; }
  rpc SearchRooms(SearchRoomsRequest) returns (SearchRoomsResponse) {
    option (google.api.http) = {post: "/v1/rooms:search" body: "*" additional_bindings {post: "/v1/{hotel=hotels/*}/rooms:search" body: "*"}};
  }
}
message Hotel { string name = 1; }
message Review { string name = 1; string text = 2; }
message Room { string name = 1; }
message GetHotelRequest { string name = 1; }
message ListHotelsRequest { int32 page_size = 1; }
message ListHotelsResponse { repeated Hotel hotels = 1; }
message ListReviewsRequest { string parent = 1; int32 page_size = 2; }
message ListReviewsResponse { repeated Review reviews = 1; }
message CreateReviewRequest { string parent = 1; Review review = 2; }
message GetRoomRequest { string name = 1; }
message SearchRoomsRequest { string hotel = 1; int32 guests = 2; }
message SearchRoomsResponse { repeated Room rooms = 1; }
`);

describe("a list is scoped", () => {
  it("by its parent, although the resource has neither annotation nor get method", async () => {
    const call = callsTo(contract);
    const reviewsOf = async (parent: string): Promise<readonly JsonObject[]> =>
      list((await call("ListReviews", { parent, pageSize: 1_000 }))["reviews"]);
    const created = await call("CreateReview", { parent: "hotels/hotel-2", review: { text: "Quiet." } });
    expect(created["name"]).toMatch(/^hotels\/hotel-2\/reviews\/./);
    expect(await reviewsOf("hotels/hotel-2")).toContainEqual(created);
    const others = await reviewsOf("hotels/hotel-1");
    expect(others.length).toBeGreaterThan(0);
    for (const { name } of others) expect(name).toMatch(/^hotels\/hotel-1\/reviews\/./);
    await expect(reviewsOf("hotels/none")).rejects.toThrow(failing("NOT_FOUND"));
  });

  it("by a field that only another path of the method has", async () => {
    const call = callsTo(contract);
    const rooms = list((await call("SearchRooms", { hotel: "hotels/hotel-2", guests: 1 }))["rooms"]);
    expect(rooms.length).toBeGreaterThan(0);
    for (const { name } of rooms) expect(name).toMatch(/^hotels\/hotel-2\/rooms\/./);
    const all = list((await call("SearchRooms", { guests: 1 }))["rooms"]);
    expect(new Set(all.map(({ name }) => (name as string).split("/")[1])).size).toBeGreaterThan(1);
  });

  it("by the parts of its key that the request names", async () => {
    const call = callsTo(
      compileContract(`
syntax = "proto3";
package acme.mall.v1;
import "google/api/annotations.proto";
service Mall {
  rpc GetOrder(GetOrderRequest) returns (Order) { option (google.api.http) = {get: "/v1/malls/{mall}/shops/{shop_id}/orders/{order_id}"}; }
  rpc CreateOrder(CreateOrderRequest) returns (Order) { option (google.api.http) = {post: "/v1/malls/{mall}/shops/{shop_id}/orders" body: "order"}; }
  rpc ListOrders(ListOrdersRequest) returns (ListOrdersResponse) { option (google.api.http) = {get: "/v1/orders"}; }
}
message Order { string mall = 1; int64 shop_id = 2; int64 order_id = 3; string buyer = 4; }
message GetOrderRequest { string mall = 1; int64 shop_id = 2; int64 order_id = 3; }
message CreateOrderRequest { string mall = 1; int64 shop_id = 2; Order order = 3; }
message ListOrdersRequest { string mall = 1; int64 shop_id = 2; string buyer = 3; int32 page_size = 4; }
message ListOrdersResponse { repeated Order orders = 1; }
`),
    );
    const created = await call("CreateOrder", { mall: "north", shopId: "9007199254740993", order: { buyer: "Ada" } });
    const ordersOf = async (request: JsonObject): Promise<readonly JsonObject[]> =>
      list((await call("ListOrders", { pageSize: 1_000, ...request }))["orders"]);
    for (const asked of [{ mall: "north" }, { shopId: "9007199254740993" }, { buyer: "Ada" }, {}])
      // oxlint-disable-next-line no-await-in-loop
      expect(await ordersOf(asked)).toContainEqual(created);
    for (const asked of [{ mall: "south" }, { shopId: "2" }, { buyer: "Eve" }])
      // oxlint-disable-next-line no-await-in-loop
      expect(await ordersOf(asked)).not.toContainEqual(created);
  });
});
