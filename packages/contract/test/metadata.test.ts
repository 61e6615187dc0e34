// Which names and values travel beside messages, so that every style carries them and none reads something else into them.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryMetadata, checkMetadata, isReservedMetadata, metadataFault, ownMetadata } from "../src/index.ts";

describe("metadata", () => {
  it.each([
    ["x-tenant", "blue"],
    ["authorization", "Bearer abc"],
    ["trace_id.v2", ""],
    ["digest-bin", "AAECAw"],
    ["digest-bin", "AAECAw=="],
  ])("%s: %s can be sent", (name, value) => {
    expect(metadataFault(name, value)).toBeUndefined();
  });

  it.each([
    ["X-Tenant", "blue", /lower case/],
    ["x tenant", "blue", /lower case/],
    ["", "blue", /lower case/],
    ["__proto__", "5", /reserved by the protocols/],
    ["content-length", "5", /reserved by the protocols/],
    ["http2-settings", "5", /reserved by the protocols/],
    ["soapaction", "5", /reserved by the protocols/],
    ["grpc-status", "0", /reserved by the protocols/],
    ["digest-bin", "AAECA", /base64/],
    ["x-tenant", "blau\r\nset-cookie: a=b", /printable ASCII/],
    ["x-tenant", "größer", /printable ASCII/],
    ["x-tenant", " blue", /space/],
    ["digest-bin", "not base64!", /base64/],
  ])("%s: %s cannot", (name, value, fault) => {
    expect(metadataFault(name, value)).toMatch(fault);
    expect(() => checkMetadata([[name, value]])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("carries any bytes under a name that ends with -bin", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const value = binaryMetadata.encode(bytes);
        expect(metadataFault("some-bin", value)).toBeUndefined();
        expect(binaryMetadata.decode(value)).toEqual(bytes);
      }),
    );
  });

  it("shows callers what is theirs, without the protocols' own", () => {
    const heard = ownMetadata([
      ["content-type", "application/grpc"],
      ["x-tenant", "blue"],
      ["date", "today"],
    ]);
    expect([...heard]).toEqual([["x-tenant", "blue"]]);
    expect(isReservedMetadata(":path")).toBe(true);
  });
});
