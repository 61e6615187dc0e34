// Addresses that were made up: a city lies in the country beside it, and those who ask for a city find something there.
import type { JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";
import { list } from "../resources/library.ts";

const contract = (fields: string) =>
  compileContract(`
syntax = "proto3";
package acme.shop.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/api/resource.proto";
service ShopService {
  rpc GetShop(GetShopRequest) returns (Shop) { option (google.api.http) = {get: "/v1/{name=shops/*}"}; }
  rpc GetCountry(GetShopRequest) returns (Country) { option (google.api.http) = {get: "/v1/{name=countries/*}"}; }
  rpc ListShops(ListShopsRequest) returns (ListShopsResponse) { option (google.api.http) = {get: "/v1/shops"}; }
}
message Shop { string name = 1; ${fields} }
message Country { option (google.api.resource) = {type: "shop.acme.dev/Country" pattern: "countries/{country}"}; string name = 1; }
message GetShopRequest { string name = 1; }
message ListShopsRequest { int32 page_size = 1; string page_token = 2; string city = 3; }
message ListShopsResponse { repeated Shop shops = 1; string next_page_token = 2; }
`);

async function shopsWith(fields: string, request: JsonObject = {}): Promise<readonly JsonObject[]> {
  return list((await callsTo(contract(fields))("ListShops", { pageSize: 200, ...request }))["shops"]);
}

const text = "(buf.validate.field).string";
const code = /^[A-Z]{2}$/;

it.each([
  ["a name", "string city = 2; string country = 3;", "country", "Japan"],
  ["a code", "string city = 2; string country_code = 3;", "countryCode", "JP"],
  ["a code of a region", "string city = 2; string region_code = 3;", "regionCode", "JP"],
  [
    "a code with a pattern",
    `string city = 2; string country_code = 3 [${text}.pattern = "^[A-Z]{2}$"];`,
    "countryCode",
    "JP",
  ],
  ["a code with a length", `string city = 2; string country_code = 3 [${text}.len = 2];`, "countryCode", "JP"],
  ["a name in capitals", "string City = 2; string Country = 3;", "Country", "Japan"],
  ["a code in camelCase", "string city = 2; string countryCode = 3;", "countryCode", "JP"],
  ["a name of a name", "string city = 2; string country_name = 3;", "countryName", "Japan"],
])("lie in the country of their city with %s", async (_what, fields, name, expected) => {
  const shops = await shopsWith(fields);
  const [city = "city"] = Object.keys(shops[0] ?? {}).filter((field) => /city/i.test(field));
  const there = shops.filter((shop) => shop[city] === "Tokyo" || shop[city] === "Osaka");
  expect(there.length).toBeGreaterThan(0);
  expect(new Set(there.map((shop) => shop[name]))).toEqual(new Set([expected]));
});

it.each([
  ["values", `[${text} = { in: ["XX", "YY"] }]`, /^(?:XX|YY)$/],
  ["another pattern", `[${text}.pattern = "^[a-z]{2}$"]`, /^[a-z]{2}$/],
  ["a constant", `[${text}.const = "XX"]`, /^XX$/],
  ["what is forbidden", `[${text} = { pattern: "^[A-Z]{2}$", not_in: ["JP"] }]`, /^(?!JP)[A-Z]{2}$/],
])("obey rules with %s", async (_what, rules, allowed) => {
  for (const { countryCode } of await shopsWith(`string city = 2; string country_code = 3 ${rules};`))
    expect(countryCode).toMatch(allowed);
});

it.each([
  [
    "a reference",
    `string country = 3 [(google.api.resource_reference).type = "shop.acme.dev/Country"];`,
    /^countries\/country-\d+$/,
  ],
  ["what is about a country", "string country_phone_prefix = 3;", /^\+/],
  ["a prefix", `string country = 3 [${text} = { prefix: "X", len: 2 }];`, /^X.$/],
  ["forbidden text", `string country = 3 [${text} = { not_contains: "J" }];`, /^[^J]*$/],
])("leave %s as it is", async (_what, field, expected) => {
  for (const shop of await shopsWith(`string city = 2; ${field}`))
    expect(Object.entries(shop).find(([name]) => name.startsWith("country"))?.[1]).toMatch(expected);
});

it.each(["constructor", "__proto__"])("may be called %s", async (name) => {
  const [shop] = await shopsWith(`string city = 2 [${text}.const = "${name}"]; string country_code = 3;`);
  expect(shop).toMatchObject({ city: name, countryCode: expect.stringMatching(code) as unknown });
});

it("keep the countries of other fields apart", async () => {
  const shops = await shopsWith("string home_city = 2; string home_country = 3; string origin_country_code = 4;");
  const codes = new Set(shops.map((shop) => shop["originCountryCode"]));
  expect(codes.size).toBeGreaterThan(30);
  for (const each of codes) expect(each).toMatch(code);
});

it.each(["Rome", "Paris", "Tokyo", "New York"])("in %s are found by a filter", async (city) => {
  const found = await shopsWith("string city = 2;", { city });
  expect(found.length).toBeGreaterThan(0);
  for (const shop of found) expect(shop).toMatchObject({ city });
});
