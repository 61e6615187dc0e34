// The table of rules states what the code does.
import { expect, it } from "vitest";
import { canonicalCodes, isReservedMetadata } from "../src/index.ts";
import { reservedMetadataNames } from "../src/calls/metadata.ts";
import { endings, judgingOrder } from "../src/style-rules/rules.ts";

it("has success and each of the sixteen codes, by their gRPC numbers", () => {
  const numbers = endings.map((code) => (code === "OK" ? 0 : canonicalCodes[code].grpc));
  expect(numbers).toEqual(Array.from({ length: 17 }, (_, number) => number));
});

it("checks the caller before the request, and the request before whether the resource exists", () => {
  const codes: readonly string[] = judgingOrder.flatMap((step) => [...step.codes]);
  const order = ["RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND"];
  // A limit may be met later too: what rules cost is known only once they are evaluated.
  expect([...new Set(codes.filter((code) => order.includes(code)))]).toEqual(order);
});

it("lists reserved names that are reserved", () => {
  expect(reservedMetadataNames.filter((name) => !isReservedMetadata(name))).toEqual([]);
});
