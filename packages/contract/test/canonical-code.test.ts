// The table of codes is google/rpc/code.proto's; every stack translates by it.
import { expect, it } from "vitest";
import {
  canonicalCodes,
  codeFromGrpc,
  codeFromHttp,
  isCanonicalCode,
  type CanonicalCode,
} from "../src/basics/canonical-code.ts";

const names = Object.keys(canonicalCodes) as readonly CanonicalCode[];

// Number and "HTTP Mapping" of each, as google/rpc/code.proto has them.
it.each([
  ["CANCELLED", 1, 499],
  ["UNKNOWN", 2, 500],
  ["INVALID_ARGUMENT", 3, 400],
  ["DEADLINE_EXCEEDED", 4, 504],
  ["NOT_FOUND", 5, 404],
  ["ALREADY_EXISTS", 6, 409],
  ["PERMISSION_DENIED", 7, 403],
  ["RESOURCE_EXHAUSTED", 8, 429],
  ["FAILED_PRECONDITION", 9, 400],
  ["ABORTED", 10, 409],
  ["OUT_OF_RANGE", 11, 400],
  ["UNIMPLEMENTED", 12, 501],
  ["INTERNAL", 13, 500],
  ["UNAVAILABLE", 14, 503],
  ["DATA_LOSS", 15, 500],
  ["UNAUTHENTICATED", 16, 401],
] as const)("has %s as %i over gRPC and %i over HTTP", (code, grpc, http) => {
  expect(canonicalCodes[code]).toEqual({ grpc, http });
  expect(codeFromGrpc(grpc)).toBe(code);
});

it("has sixteen codes and no other", () => {
  expect(names).toHaveLength(16);
  for (const name of names) expect(isCanonicalCode(name)).toBe(true);
  for (const other of ["OK", "ok", "not_found", "toString", "__proto__", "", 5, null, undefined]) {
    expect(isCanonicalCode(other)).toBe(false);
  }
});

it.each([0, 17, -1, 1.5, Number.NaN])("maps the undefined gRPC status %d to UNKNOWN", (status) => {
  expect(codeFromGrpc(status)).toBe("UNKNOWN");
});

it("guesses a code of the same HTTP status for every status that a code has", () => {
  for (const name of names) {
    const { http } = canonicalCodes[name];
    expect(canonicalCodes[codeFromHttp(http)].http).toBe(http);
  }
});

it.each([
  [400, "INVALID_ARGUMENT"],
  [405, "UNIMPLEMENTED"],
  [406, "INVALID_ARGUMENT"],
  [408, "DEADLINE_EXCEEDED"],
  [409, "ABORTED"],
  [413, "RESOURCE_EXHAUSTED"],
  [415, "INVALID_ARGUMENT"],
  [422, "INVALID_ARGUMENT"],
  [429, "RESOURCE_EXHAUSTED"],
  [431, "RESOURCE_EXHAUSTED"],
  [500, "UNKNOWN"],
  [502, "UNAVAILABLE"],
  [200, "UNKNOWN"],
  [302, "UNKNOWN"],
  [418, "UNKNOWN"],
  [599, "UNKNOWN"],
] as const)("guesses for HTTP %i without a body: %s", (status, code) => {
  expect(codeFromHttp(status)).toBe(code);
});
