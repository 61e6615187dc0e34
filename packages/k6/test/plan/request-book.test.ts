// The book of requests: each stands there once, and what is told by another is what was asked for, to the order of its members.
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
import type { GrpcRequest, PlannedRequest } from "../../src/plan/k6-plan.ts";
import { mergePatch, patched } from "../../src/plan/merge-patch.ts";
import { RequestBook } from "../../src/plan/request-book.ts";

const { object } = letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: oneof({ maxDepth: 3 }, integer(), string(), array(integer()), tie("object")),
  object: dictionary(string(), tie("value")) as Arbitrary<JsonObject>,
}));

const method = "shop.v1.ShopService/Buy";
const withList = (amount: number): GrpcRequest => ({
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
        const book = new RequestBook();
        const numbers = asked.map((request) => book.numberOf(request));
        const written = numbers.map((number) => JSON.stringify(whole(book.requests[number], book.requests)));
        expect(written).toEqual(asked.map((request) => JSON.stringify(request)));
      }),
    );
  });

  it("holds a request once", () => {
    const book = new RequestBook();
    expect([withList(1), withList(2), withList(1)].map((request) => book.numberOf(request))).toEqual([0, 1, 0]);
    expect(book.requests).toHaveLength(2);
  });

  it("tells a request that is much like another by what is different", () => {
    const book = new RequestBook();
    for (const amount of [1, 2, 3]) book.numberOf(withList(amount));
    expect(book.requests).toEqual([
      withList(1),
      { like: 0, but: { message: { amount: 2 } } },
      { like: 0, but: { message: { amount: 3 } } },
    ]);
  });

  it.each<[string, GrpcRequest]>([
    ["goes elsewhere", { ...withList(2), method: "shop.v1.ShopService/Sell" }],
    ["holds null, which a patch cannot say", { method, message: { ...(withList(1).message as object), amount: null } }],
    ["has its members in another order", { method, message: { amount: 1, ...(withList(1).message as object) } }],
    ["has little in common", { method, message: { list: [1], amount: 1 } }],
  ])("tells a request whole that %s", (_, request) => {
    const book = new RequestBook();
    book.numberOf(withList(1));
    book.numberOf(request);
    expect(book.requests[1]).toEqual(request);
  });
});
