// What a resource has in common with its children: it counts them, and is older.
import type { JsonValue } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { generatedService } from "../../src/generated/generated-service.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";
import { list } from "../resources/library.ts";

const source = (count = "int64 review_count = 3 [(google.api.field_behavior) = OUTPUT_ONLY];"): string => `
syntax = "proto3";
package acme.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/field_behavior.proto";
import "google/protobuf/timestamp.proto";
service Hotels {
  rpc GetHotel(GetHotelRequest) returns (Hotel) { option (google.api.http) = {get: "/v1/{name=hotels/*}"}; }
  rpc ListHotels(ListHotelsRequest) returns (ListHotelsResponse) { option (google.api.http) = {get: "/v1/hotels"}; }
  rpc CreateHotel(CreateHotelRequest) returns (Hotel) { option (google.api.http) = {post: "/v1/hotels" body: "hotel"}; }
  rpc UpdateHotel(UpdateHotelRequest) returns (Hotel) { option (google.api.http) = {put: "/v1/{hotel.name=hotels/*}" body: "hotel"}; }
  rpc ListReviews(ListReviewsRequest) returns (ListReviewsResponse) { option (google.api.http) = {get: "/v1/{parent=hotels/*}/reviews"}; }
  rpc CreateReview(CreateReviewRequest) returns (Review) { option (google.api.http) = {post: "/v1/{parent=hotels/*}/reviews" body: "review"}; }
  rpc UpdateReview(UpdateReviewRequest) returns (Review) { option (google.api.http) = {put: "/v1/{review.name=hotels/*/reviews/*}" body: "review"}; }
  rpc DeleteReview(DeleteReviewRequest) returns (Review) { option (google.api.http) = {delete: "/v1/{name=hotels/*/reviews/*}"}; }
  rpc GetRoom(GetHotelRequest) returns (Room) { option (google.api.http) = {get: "/v1/{name=hotels/*/rooms/*}"}; }
  rpc ListRooms(ListReviewsRequest) returns (ListRoomsResponse) { option (google.api.http) = {get: "/v1/{parent=hotels/*}/rooms"}; }
}
message Hotel {
  string name = 1;
  string title = 2;
  ${count}
  uint32 num_rooms = 4 [(buf.validate.field).uint32.gte = 0];
  double average_rating = 5 [(buf.validate.field).double = {gte: 0, lte: 10}, (google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp create_time = 6 [(google.api.field_behavior) = OUTPUT_ONLY];
}
message Review { string name = 1; string text = 2; int32 score = 4 [(buf.validate.field).int32 = {gte: 1, lte: 10}]; google.protobuf.Timestamp create_time = 3 [(google.api.field_behavior) = OUTPUT_ONLY]; }
message Room { string name = 1; int32 floor = 2; google.protobuf.Timestamp create_time = 3 [(google.api.field_behavior) = OUTPUT_ONLY]; }
message GetHotelRequest { string name = 1; }
message ListHotelsRequest { int32 page_size = 1; string filter = 2; }
message ListHotelsResponse { repeated Hotel hotels = 1; }
message CreateHotelRequest { Hotel hotel = 1; }
message UpdateHotelRequest { Hotel hotel = 1; }
message ListReviewsRequest { string parent = 1; int32 page_size = 2; }
message ListReviewsResponse { repeated Review reviews = 1; int32 total_size = 2; }
message ListRoomsResponse { repeated Room rooms = 1; int32 total_size = 2; }
message CreateReviewRequest { string parent = 1; Review review = 2; }
message UpdateReviewRequest { Review review = 1; }
message DeleteReviewRequest { string name = 1; }
`;
const contract = compileContract(source());

const loans = (path: string): string => `
syntax = "proto3";
package acme.library.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/resource.proto";
import "google/protobuf/empty.proto";
service Library {
  rpc GetMember(GetRequest) returns (Member) { option (google.api.http) = {get: "/v1/{name=members/*}"}; }
  rpc CreateMember(CreateMemberRequest) returns (Member) { option (google.api.http) = {post: "/v1/members" body: "member"}; }
  rpc RenameMember(RenameRequest) returns (Member) { option (google.api.http) = {post: "/v1/{name=members/*}:rename" body: "*"}; }
  rpc GetLoan(GetRequest) returns (Loan) { option (google.api.http) = {get: "/v1/{name=loans/*}"}; }
  rpc ListLoans(ListLoansRequest) returns (ListLoansResponse) { option (google.api.http) = {get: ${path}}; }
  rpc CreateLoan(CreateLoanRequest) returns (Loan) { option (google.api.http) = {post: "/v1/loans" body: "loan"}; }
  rpc UpdateLoan(CreateLoanRequest) returns (Loan) { option (google.api.http) = {put: "/v1/{loan.name=loans/*}" body: "loan"}; }
  rpc DeleteLoan(GetRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/{name=loans/*}"}; }
}
message Member {
  option (google.api.resource) = {type: "library.acme.dev/Member" pattern: "members/{member}"};
  string name = 1;
  int32 loan_count = 2;
}
message Loan {
  option (google.api.resource) = {type: "library.acme.dev/Loan" pattern: "loans/{loan}"};
  string name = 1;
  string member = 2 [(google.api.resource_reference).type = "library.acme.dev/Member"];
}
message GetRequest { string name = 1; }
message RenameRequest { string name = 1; string new_name = 2; }
message CreateMemberRequest { Member member = 1; }
message ListLoansRequest { string member = 1; int32 page_size = 2; }
message ListLoansResponse { repeated Loan loans = 1; }
message CreateLoanRequest { Loan loan = 1; }
`;

interface Listed {
  readonly hotels: readonly { readonly name: string; readonly reviewCount?: string; readonly createTime: string }[];
}

it("counts initial children as their lists do", async () => {
  const call = callsTo(contract);
  const { hotels } = (await call("ListHotels", { pageSize: 5 })) as unknown as Listed;
  for (const { name, reviewCount } of hotels) {
    expect(await call("ListReviews", { parent: name })).toMatchObject({ totalSize: Number(reviewCount) });
    expect(await call("ListRooms", { parent: name })).toMatchObject({
      totalSize: (await call("GetHotel", { name }))["numRooms"],
    });
  }
});

it.each([
  ["whose list is below it too", '"/v1/loans" additional_bindings {get: "/v1/{member=members/*}/loans"}'],
  ["whose list is only below it", '"/v1/{member=members/*}/loans"'],
])("counts what refers to it, %s", async (_what, path) => {
  const call = callsTo(compileContract(loans(path)));
  const countOf = async (name: string) => (await call("GetMember", { name }))["loanCount"] ?? 0;
  const listed = async (member: string) => list((await call("ListLoans", { member, pageSize: 200 }))["loans"]);
  const names = Array.from({ length: 120 }, (_, at) => `members/member-${at + 1}`);
  const counts = await Promise.all(names.map((name) => countOf(name)));
  expect(counts).toEqual(await Promise.all(names.map(async (name) => (await listed(name)).length)));
  expect(new Set(counts).size).toBeGreaterThan(2);
  const [first = "", second = ""] = names;
  const [before, other] = counts as number[];
  const loan = await call("CreateLoan", { loan: { member: first } });
  expect(await countOf(first)).toBe((before ?? 0) + 1);
  await call("UpdateLoan", { loan: { ...loan, member: second } });
  expect([await countOf(first), await countOf(second)]).toEqual([before, (other ?? 0) + 1]);
  await call("DeleteLoan", { name: loan["name"] as string });
  expect(await countOf(second)).toBe(other);
  expect((await call("CreateMember", { member: {} }))["loanCount"]).toBeUndefined();
  expect(await call("RenameMember", { name: first, newName: "members/zed" })).not.toHaveProperty("loanCount");
});

async function membersOf(text: string): Promise<readonly unknown[]> {
  const { loans: all } = await callsTo(compileContract(text))("ListLoans", { pageSize: 200 });
  return list(all).map(({ member }) => member);
}

it("refers to the same with and without a count", async () => {
  const counted = loans('"/v1/loans"');
  expect(await membersOf(counted.replace("int32 loan_count = 2;", ""))).toEqual(await membersOf(counted));
});

it("leaves the rules of a resource that refers to others", async () => {
  const ruled = loans('"/v1/loans"').replace(
    "message Loan {",
    `message Loan { option (buf.validate.message).oneof = {fields: ["guest", "member"], required: true}; string guest = 3;`,
  );
  const all = list((await callsTo(compileContract(ruled))("ListLoans", { pageSize: 200 }))["loans"]);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ guest, member }) => (guest === undefined) === (member === undefined))).toEqual([]);
});

it("rates what its children rate", async () => {
  const call = callsTo(contract);
  const ratings = async (name: JsonValue = "") => {
    const { averageRating = 0 } = await call("GetHotel", { name });
    const { reviews = [] } = await call("ListReviews", { parent: name });
    const scores = (reviews as unknown as readonly { readonly score: number }[]).map(({ score }) => score);
    const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
    return { averageRating, mean: Math.round(mean * 10) / 10 };
  };
  const agree = async (name: JsonValue = ""): Promise<number> => {
    const { averageRating, mean } = await ratings(name);
    expect(averageRating).toBe(mean);
    return mean;
  };
  const initial = await Promise.all([1, 2, 3, 4].map((number) => agree(`hotels/hotel-${number}`)));
  expect(new Set(initial).size).toBeGreaterThan(1);
  const { name = "" } = await call("CreateHotel", { hotel: { title: "New" } });
  expect(await agree(name)).toBe(0);
  for (const parent of [name, "hotels/hotel-1"]) {
    const before = await agree(parent);
    const { name: review = "" } = await call("CreateReview", { parent, review: { text: "Good.", score: 10 } });
    expect(await agree(parent)).toBeGreaterThan(before);
    await call("UpdateReview", { review: { name: review, score: 2 } });
    await agree(parent);
    await call("DeleteReview", { name: review });
    expect(await agree(parent)).toBe(before);
  }
});

it("creates initial children after their parents", async () => {
  const call = callsTo(contract);
  const { hotels } = (await call("ListHotels", { pageSize: 20 })) as unknown as Listed;
  for (const { name, createTime } of hotels) {
    const { reviews } = (await call("ListReviews", { parent: name })) as unknown as { reviews: Listed["hotels"] };
    expect(reviews.filter((review) => review.createTime < createTime)).toEqual([]);
    expect(new Set(reviews.map((review) => review.createTime)).size).toBeGreaterThan(25);
  }
});

it("follows what is created and deleted, in filters too", async () => {
  const call = callsTo(contract);
  const countOf = async (name: JsonValue = "") => (await call("GetHotel", { name }))["reviewCount"] ?? "0";
  const { name: review } = await call("CreateReview", {
    parent: "hotels/hotel-1",
    review: { text: "Good.", score: 9 },
  });
  expect(await countOf("hotels/hotel-1")).toBe("31");
  expect(await call("ListHotels", { filter: "review_count = 31" })).toMatchObject({
    hotels: [{ name: "hotels/hotel-1" }],
  });
  await call("DeleteReview", { name: review ?? "" });
  await call("DeleteReview", { name: "hotels/hotel-1/reviews/review-1" });
  expect(await countOf("hotels/hotel-1")).toBe("29");

  const { name } = await call("CreateHotel", { hotel: { title: "New" } });
  expect(await countOf(name)).toBe("0");
  await call("CreateReview", { parent: name ?? "", review: { text: "First.", score: 9 } });
  expect(await countOf(name)).toBe("1");
  expect(await call("UpdateHotel", { hotel: { name: name ?? "", title: "Newer" } })).toMatchObject({
    reviewCount: "1",
  });
});

it.each([
  ["a new count", ""],
  ["hotels that were reset", "int64 stars = 3;"],
])("counts what was taken over: %s", async (_what, count) => {
  const earlierContract = compileContract(source(count));
  const earlier = generatedService(earlierContract, 1);
  const before = callsTo(earlierContract, 1, earlier);
  await before("CreateReview", { parent: "hotels/hotel-2", review: { text: "Good.", score: 9 } });
  await before("UpdateHotel", { hotel: { name: "hotels/hotel-2", title: "Newer" } });
  const service = generatedService(contract, 1, undefined, { service: earlier, onReset: () => undefined });
  expect(await callsTo(contract, 1, service)("GetHotel", { name: "hotels/hotel-2" })).toMatchObject({
    reviewCount: "31",
  });
});
