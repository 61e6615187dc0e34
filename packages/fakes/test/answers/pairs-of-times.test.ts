// Two times or limits whose names say which is first are in that order, and ratings have decimals.
import { toJson, type JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

function camel(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

const time = "google.protobuf.Timestamp";
const required = "[(google.api.field_behavior) = REQUIRED]";

const pairs = [
  ["check_in_time", "check_out_time", time],
  ["checkin_time", "checkout_time", time],
  ["start_time", "end_time", time],
  ["event_start_time", "event_end_time", time],
  ["begin_at", "end_at", time],
  ["valid_from_time", "valid_until_time", time],
  ["pickup_time", "dropoff_time", time],
  ["pickup_time", "return_time", time],
  ["departure_time", "arrival_time", time],
  ["opening_time", "closing_time", time],
  ["earliest_time", "latest_time", time],
  ["check_in_at", "check_out_at", "int64"],
  ["check_in_date", "check_out_date", "string"],
  ["min_price", "max_price", "double"],
  ["price_min", "price_max", "int32"],
] as const;

/** The later one is declared first. */
const messages = pairs.flatMap(([earlier, later, type], index) =>
  ["", required].map(
    (behavior) =>
      `message ${behavior === "" ? "Free" : "Required"}${index} { ${type} ${later} = 1 ${behavior}; ${type} ${earlier} = 2 ${behavior}; }`,
  ),
);

const contract = compileContract(`
syntax = "proto3";
package acme.stay.v1;
import "google/api/field_behavior.proto";
import "google/protobuf/timestamp.proto";
service Stays { rpc GetStay(Rating) returns (Rating); }
message Rating { double rating = 1; int32 stars = 2; int32 discount_percent = 3; int32 progress_percent = 4; int32 card_expiry_year = 5; }
${messages.join("\n")}
`);
const maker = new AnswerMaker(contract, 1);

function madeUp(name: string): readonly JsonObject[] {
  const desc = contract.registry.getMessage(`acme.stay.v1.${name}`);
  if (desc === undefined) throw new Error(`no message ${name}`);
  const draws = Array.from({ length: 100 }, (_, seed) => new Draw([seed, 0, 0, 0]));
  return draws.map((draw) => toJson(desc, maker.message(desc, draw)) as JsonObject);
}

it.each(pairs.map(([earlier, later], index) => ({ earlier, later, index })))(
  "$earlier is before $later",
  ({ earlier, later, index }) => {
    for (const all of [madeUp(`Free${index}`), madeUp(`Required${index}`)]) {
      for (const message of all) {
        const [first, second] = [message[camel(earlier)], message[camel(later)]] as [string | number, string | number];
        // False if one of them is unset.
        expect(first > second).toBe(false);
      }
      expect(new Set(all.map((message) => JSON.stringify(message))).size).toBeGreaterThan(50);
    }
  },
);

it("a rating has decimals and is of five, a number of stars is whole, a percentage of a hundred, and no card has expired", () => {
  const ratings = madeUp("Rating");
  for (const { rating, stars, discountPercent = 0, progressPercent, cardExpiryYear } of ratings) {
    expect(discountPercent).toBeLessThanOrEqual(100);
    expect(progressPercent).toBe(100);
    expect(cardExpiryYear).toBeGreaterThanOrEqual(2040);
    expect(rating).toBeGreaterThanOrEqual(1);
    expect(rating).toBeLessThanOrEqual(5);
    expect(Number.isInteger(stars)).toBe(true);
  }
  expect(new Set(ratings.map(({ rating }) => rating)).size).toBeGreaterThan(20);
});
