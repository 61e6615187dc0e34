// A token leads on from where it was given; anything else is refused.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { idBefore, pageTokenAfter } from "../src/customer.ts";

it("leads back to the id that it was made of", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (id) => {
      expect(idBefore(pageTokenAfter(id))).toBe(id);
    }),
  );
});

it("fits the contract's limit and needs no escaping in a URL", () => {
  expect(pageTokenAfter(2 ** 31 - 1)).toMatch(/^[\w-]{1,100}$/);
});

it("is empty for the first page", () => {
  expect(idBefore("")).toBe(0);
});

it.each([
  ["text", "nonsense"],
  ["padding", `${pageTokenAfter(5)}=`],
  ["another spelling of a number", Buffer.from("after:1e3").toString("base64url")],
  ["no number", Buffer.from("after:").toString("base64url")],
  ["nobody's id", pageTokenAfter(0)],
  ["an id below zero", pageTokenAfter(-5)],
  ["half an id", pageTokenAfter(1.5)],
  ["another prefix", Buffer.from("before:5").toString("base64url")],
])("was never given out: %s", (_what, token) => {
  expect(() => idBefore(token)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: expect.objectContaining({
        violations: [{ field: "page_token", reason: "page_token", description: "not a token of this service" }],
      }) as unknown,
    }),
  );
});

it("is refused as an invalid token, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (token) => {
      expect(() => idBefore(token)).toThrow("page_token: not a token of this service");
    }),
  );
});
