// Lists of what is no resource are made up: their entries have what the request asks for.
import { type JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.stay.v1;
import "buf/validate/validate.proto";
service Offers {
  rpc SearchOffers(SearchOffersRequest) returns (SearchOffersResponse);
  rpc CompareOffers(SearchOffersRequest) returns (SearchOffersResponse);
}
enum Kind { KIND_UNSPECIFIED = 0; SINGLE = 1; DOUBLE = 2; SUITE = 3; }
message Offer { Kind kind = 1; Place place = 2; repeated string tags = 3; int32 nights = 4 [(buf.validate.field).int32.lte = 30]; }
message Place { string street = 1; string city = 2; }
message SearchOffersRequest { string city = 1; repeated Kind kinds = 2; string tag = 3; int32 nights = 4; int32 page_size = 5; }
message SearchOffersResponse { repeated Offer offers = 1; }
`);

/** The offers of a call with a few seeds. */
async function offers(method: string, request: JsonObject): Promise<readonly JsonObject[]> {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((seed) => callsTo(contract, seed)(method, request)));
  return answers.flatMap((answer) => answer["offers"] as JsonObject[]);
}

it("have the values of fields of the same name, singular or plural, in themselves or inside a message", async () => {
  const found = await offers("SearchOffers", { city: "Oslo", kinds: ["SINGLE", "SUITE"], tag: "quiet", nights: 3 });
  expect(found.length).toBeGreaterThan(5);
  for (const offer of found) expect(offer).toMatchObject({ place: { city: "Oslo" }, tags: ["quiet"], nights: 3 });
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["SINGLE", "SUITE"]));
});

it("obey the rules of their type even where the request asks for more", async () => {
  for (const { nights } of await offers("SearchOffers", { nights: 31 })) expect(nights ?? 0).toBeLessThanOrEqual(30);
});

it("are as they come in answers of methods that list nothing", async () => {
  const found = await offers("CompareOffers", { city: "Oslo" });
  expect(found.some(({ place }) => (place as JsonObject)["city"] !== "Oslo")).toBe(true);
});
