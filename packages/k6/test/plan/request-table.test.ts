// The table of requests: each request once, and patches that restore the request to the order of its members.
import type { JsonObject } from "@bufbuild/protobuf";
import {
  array,
  assert,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { K6GrpcRequest, PlannedRequest } from "../../src/plan/k6-plan.ts";
import { mergePatch, patched, RequestTable } from "../../src/plan/request-table.ts";

const { object } = letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: oneof({ maxDepth: 3 }, integer(), string(), array(integer()), tie("object")),
  object: dictionary(string(), tie("value")) as Arbitrary<JsonObject>,
}));

const method = "shop.v1.ShopService/Buy";
const withList = (amount: number): K6GrpcRequest => ({
  method,
  message: { list: Array.from({ length: 100 }, (_, index) => index / 7), amount },
});

function whole(request: PlannedRequest | undefined, requests: readonly PlannedRequest[]): unknown {
  if (request === undefined || !("like" in request)) return request;
  return patched(requests[request.like] as unknown as JsonObject, request.but);
}

describe("a merge patch", () => {
  it("makes the one of the other, whatever they are", () => {
    assert(
      property(object, object, (from, to) => {
        expect(patched(from, mergePatch(from, to))).toEqual(to);
      }),
    );
  });

  it("holds nothing but what is different", () => {
    const from = { same: { a: 1 }, other: { a: 1, b: 2 }, gone: [1] };
    expect(mergePatch(from, { same: { a: 1 }, other: { a: 1, b: 3 } })).toEqual({ other: { b: 3 }, gone: null });
  });
});

describe("a book of requests", () => {
  it("gives back every request by its number, as it was written, whatever came before", () => {
    assert(
      property(array(record({ method: string({ maxLength: 1 }), message: object })), (asked) => {
        const table = new RequestTable();
        const numbers = asked.map((request) => table.numberOf(request));
        const written = numbers.map((number) => JSON.stringify(whole(table.requests[number], table.requests)));
        expect(written).toEqual(asked.map((request) => JSON.stringify(request)));
      }),
    );
  });

  it("holds a request once", () => {
    const table = new RequestTable();
    expect([withList(1), withList(2), withList(1)].map((request) => table.numberOf(request))).toEqual([0, 1, 0]);
    expect(table.requests).toHaveLength(2);
  });

  it("stores a request that resembles another as a patch", () => {
    const table = new RequestTable();
    for (const amount of [1, 2, 3]) table.numberOf(withList(amount));
    expect(table.requests).toEqual([
      withList(1),
      { like: 0, but: { message: { amount: 2 } } },
      { like: 0, but: { message: { amount: 3 } } },
    ]);
  });

  it.each<[string, K6GrpcRequest]>([
    ["goes elsewhere", { ...withList(2), method: "shop.v1.ShopService/Sell" }],
    ["holds null, which a patch cannot say", { method, message: { ...(withList(1).message as object), amount: null } }],
    ["has its members in another order", { method, message: { amount: 1, ...(withList(1).message as object) } }],
    ["has little in common", { method, message: { list: [1], amount: 1 } }],
  ])("stores a request completely that %s", (_, request) => {
    const table = new RequestTable();
    table.numberOf(withList(1));
    table.numberOf(request);
    expect(table.requests[1]).toEqual(request);
  });
});
