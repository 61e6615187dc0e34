// Lists of what is below something else, over real connections: by a path without annotations, and by references without a path.
import { create, fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { type StartedFake, startFake } from "../../src/index.ts";
import { list } from "./library.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.nested.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
service Nested {
  rpc GetHotel(GetHotelRequest) returns (Hotel) { option (google.api.http) = {get: "/v1/{name=hotels/*}"}; }
  rpc ListHotels(ListHotelsRequest) returns (ListHotelsResponse) { option (google.api.http) = {get: "/v1/hotels"}; }
  rpc ListReviews(ListReviewsRequest) returns (ListReviewsResponse) { option (google.api.http) = {get: "/v1/hotels/{hotel_id}/reviews"}; }
  rpc CreateReview(CreateReviewRequest) returns (Review) { option (google.api.http) = {post: "/v1/hotels/{hotel_id}/reviews" body: "review"}; }
  rpc GetCafe(GetCafeRequest) returns (Cafe) { option (google.api.http) = {get: "/v1/cafes/{id}"}; }
  rpc ListCafes(ListCafesRequest) returns (ListCafesResponse) { option (google.api.http) = {get: "/v1/cafes"}; }
  rpc ListComments(ListCommentsRequest) returns (ListCommentsResponse) { option (google.api.http) = {get: "/v1/cafes/{cafe_id}/comments"}; }
  rpc CreateComment(CreateCommentRequest) returns (Comment) { option (google.api.http) = {post: "/v1/cafes/{cafe_id}/comments" body: "comment"}; }
  rpc GetTicket(GetTicketRequest) returns (Ticket) { option (google.api.http) = {get: "/v1/tickets/{id}"}; }
  rpc ListTickets(ListTicketsRequest) returns (ListTicketsResponse) { option (google.api.http) = {get: "/v1/cafes/{cafe_id}/tickets" additional_bindings {get: "/v1/tickets"}}; }
  rpc CreateTicket(CreateTicketRequest) returns (Ticket) { option (google.api.http) = {post: "/v1/cafes/{cafe_id}/tickets" body: "ticket"}; }
  rpc ListPhotos(ListPhotosRequest) returns (ListPhotosResponse) { option (google.api.http) = {get: "/v1/{hotel=hotels/*}/photos"}; }
  rpc CreatePhoto(CreatePhotoRequest) returns (Photo) { option (google.api.http) = {post: "/v1/{hotel=hotels/*}/photos" body: "photo"}; }
  rpc GetRoom(GetRoomRequest) returns (Room) { option (google.api.http) = {get: "/v1/{name=hotels/*/rooms/*}"}; }
  rpc ListRooms(ListRoomsRequest) returns (ListRoomsResponse) { option (google.api.http) = {get: "/v1/rooms"}; }
  rpc CreateRoom(CreateRoomRequest) returns (Room) { option (google.api.http) = {post: "/v1/rooms" body: "room"}; }
  rpc GetOffer(GetOfferRequest) returns (Offer) { option (google.api.http) = {get: "/v1/{name=offers/*}"}; }
  rpc ListOffers(ListOffersRequest) returns (ListOffersResponse) { option (google.api.http) = {get: "/v1/offers"}; }
  rpc CreateOffer(CreateOfferRequest) returns (Offer) { option (google.api.http) = {post: "/v1/offers" body: "offer"}; }
}
message Hotel { option (google.api.resource) = {type: "acme.dev/Hotel" pattern: "hotels/{hotel}"}; string name = 1; }
message Review { string id = 1; string text = 2; }
message Cafe { string id = 1; }
message Comment { string id = 1; string text = 2; }
message GetCafeRequest { string id = 1; }
message ListCafesRequest { int32 page_size = 1; }
message ListCafesResponse { repeated Cafe cafes = 1; }
message ListCommentsRequest { string cafe_id = 1; int32 page_size = 2; }
message ListCommentsResponse { repeated Comment comments = 1; }
message CreateCommentRequest { string cafe_id = 1; Comment comment = 2; }
message Ticket { string id = 1; string cafe_id = 2; string text = 3; }
message GetTicketRequest { string id = 1; }
message ListTicketsRequest { string cafe_id = 1; int32 page_size = 2; }
message ListTicketsResponse { repeated Ticket tickets = 1; }
message CreateTicketRequest { string cafe_id = 1; Ticket ticket = 2; }
message Photo { string name = 1; string title = 2; }
message Room { option (google.api.resource) = {type: "acme.dev/Room" pattern: "hotels/{hotel}/rooms/{room}"}; string name = 1; string text = 2; }
message Offer {
  option (google.api.resource) = {type: "acme.dev/Offer" pattern: "offers/{offer}"};
  string name = 1;
  string place = 2 [(google.api.resource_reference).type = "acme.dev/Hotel"];
}
message GetHotelRequest { string name = 1; }
message ListHotelsRequest { int32 page_size = 1; }
message ListHotelsResponse { repeated Hotel hotels = 1; }
message ListReviewsRequest { string hotel_id = 1; int32 page_size = 2; }
message ListReviewsResponse { repeated Review reviews = 1; }
message CreateReviewRequest { string hotel_id = 1; Review review = 2; }
message ListPhotosRequest { string hotel = 1; int32 page_size = 2; }
message ListPhotosResponse { repeated Photo photos = 1; }
message CreatePhotoRequest { string hotel = 1; Photo photo = 2; }
message GetRoomRequest { string name = 1; }
message ListRoomsRequest { string property = 1 [(google.api.resource_reference).type = "acme.dev/Hotel"]; int32 page_size = 2; }
message ListRoomsResponse { repeated Room rooms = 1; }
message CreateRoomRequest { string property = 1 [(google.api.resource_reference).child_type = "acme.dev/Room"]; Room room = 2; }
message GetOfferRequest { string name = 1; }
message ListOffersRequest { repeated string hotels = 1 [(google.api.resource_reference).type = "acme.dev/Hotel"]; string hotel = 2 [(google.api.resource_reference).type = "acme.dev/Hotel"]; int32 page_size = 3; }
message ListOffersResponse { repeated Offer offers = 1; }
message CreateOfferRequest { Offer offer = 1; }
`);

const stacks = ["rest-express", "grpc-js", "graphql-apollo"];

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { stacks });
});
afterAll(() => fake.close());

const session = () => fake.session(crypto.randomUUID());

async function calling(stack: string, from = session()) {
  const client = await from.connect(stack);
  return async (name: string, json: JsonObject): Promise<JsonObject> => {
    const operation = contract.operation(`acme.nested.v1.Nested.${name}`);
    const answer = await client.prepare(operation)(fromJson(operation.input, json));
    return toJson(operation.output, create(operation.output, answer as never)) as JsonObject;
  };
}

describe.each(stacks)("over %s", (stack) => {
  it.each<readonly [string, string, JsonObject, JsonObject, JsonObject]>([
    ["Review", "reviews", { hotelId: "a" }, { hotelId: "b" }, { text: "Quiet." }],
    ["Comment", "comments", { cafeId: "cafe-1" }, { cafeId: "cafe-2" }, { text: "Good tea." }],
    ["Photo", "photos", { hotel: "hotels/hotel-1" }, { hotel: "hotels/hotel-2" }, { title: "Lobby" }],
    ["Room", "rooms", { property: "hotels/hotel-1" }, { property: "hotels/hotel-2" }, { text: "Corner room" }],
  ])("a %s is in the list of its parent only", async (noun, plural, own, other, content) => {
    const started = session();
    const call = await calling(stack, started);
    const resource = { [noun.toLowerCase()]: content };
    const created = await call(`Create${noun}`, { ...own, ...resource });
    const below = async (parent: JsonObject): Promise<readonly JsonObject[]> =>
      list((await call(`List${noun}s`, { ...parent, pageSize: 1_000 }))[plural]);
    expect(await below(own)).toContainEqual(created);
    const others = await below(other);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContainEqual(created);
    expect(started.log.records.map(({ ignoredFields }) => ignoredFields)).toEqual([[], [], []]);
  });

  it("a resource that is got by its own id has the id of its parent from the path", async () => {
    const call = await calling(stack);
    const created = await call("CreateTicket", { cafeId: "cafe-1", ticket: { text: "Two seats" } });
    expect(created).toMatchObject({ cafeId: "cafe-1" });
    expect(list((await call("ListTickets", { cafeId: "cafe-1", pageSize: 1_000 }))["tickets"])).toContainEqual(created);
    const others = list((await call("ListTickets", { cafeId: "cafe-2", pageSize: 1_000 }))["tickets"]);
    expect(others).not.toContainEqual(created);
  });

  it("a reference is compared with the only one to the same type", async () => {
    const call = await calling(stack);
    const created = await call("CreateOffer", { offer: { place: "hotels/hotel-7" } });
    const none = await call("CreateOffer", { offer: { place: "hotels/hotel-8" } });
    for (const asked of [{ hotel: "hotels/hotel-7" }, { hotels: ["hotels/hotel-7"] }]) {
      const offers = list((await call("ListOffers", { ...asked, pageSize: 1_000 }))["offers"]);
      expect(offers).toContainEqual(created);
      expect(offers).not.toContainEqual(none);
      expect(new Set(offers.map(({ place }) => place))).toEqual(new Set(["hotels/hotel-7"]));
    }
  });

  it.each<readonly [string, JsonObject]>([
    ["ListRooms", { property: "hotels/none" }],
    ["ListComments", { cafeId: "none" }],
  ])("%s below a parent that does not exist fails", async (name, parent) => {
    const call = await calling(stack);
    await expect(call(name, parent)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

it.each(["path", ...stacks.slice(1)])("a list whose %s names no parent has all", async (stack) => {
  const json =
    stack === "path"
      ? ((await (await fetch(`${fake.urls["rest-express"]}/v1/tickets?pageSize=1000`)).json()) as JsonObject)
      : await (
          await calling(stack)
        )("ListTickets", { pageSize: 1_000 });
  expect(new Set(list(json["tickets"]).map(({ cafeId }) => cafeId)).size).toBeGreaterThan(1);
});
