// Headers as metadata: only requested headers are read.
import { detachedMetadata } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { HeaderMap } from "../src/shared/call-headers.ts";

const headers = { "x-one": "1", "x-many": ["a", "b"], "x-not": undefined } as const;

/** A map of these headers, and how often all of them were read. */
function mapOf(lacks?: (source: typeof headers, name: string) => boolean) {
  let reads = 0;
  const read = (source: typeof headers) => {
    reads += 1;
    return source;
  };
  return { map: new HeaderMap(headers, read, lacks), reads: () => reads };
}

const lacks = (source: Readonly<Record<string, unknown>>, name: string) => source[name] === undefined;

describe("a map of headers", () => {
  it.each([undefined, lacks])("has each name once, several values joined", (known) => {
    const { map } = mapOf(known);
    expect(map.get("x-one")).toBe("1");
    expect(map.get("x-many")).toBe("a, b");
    expect([map.has("x-not"), map.get("x-not"), map.has("x-nothing")]).toEqual([false, undefined, false]);
    expect([...map]).toEqual([
      ["x-one", "1"],
      ["x-many", "a, b"],
    ]);
    expect(map.size).toBe(2);
  });

  it("reads the headers once, on first use", () => {
    const { map, reads } = mapOf();
    expect(reads()).toBe(0);
    map.get("x-one");
    map.get("x-many");
    expect(reads()).toBe(1);
  });

  it("reads no headers for a name that is certainly missing", () => {
    const { map, reads } = mapOf(lacks);
    expect([map.get("x-nothing"), map.has("x-nothing")]).toEqual([undefined, false]);
    expect(reads()).toBe(0);
  });

  it("is kept without the request from which it is read", () => {
    const rawHeaders = ["X-One", "1", "x-many", "a", "X-Many", "b"];
    const request = { rawHeaders, headersDistinct: { "x-one": ["1"], "x-many": ["a", "b"] } };
    const map = new HeaderMap(request, ({ headersDistinct }) => headersDistinct);
    const { metadata, bytes } = detachedMetadata(map);
    expect([...metadata]).toEqual([...map]);
    expect(bytes).toBeGreaterThan("x-one1x-manyab".length);
    expect([...detachedMetadata(map).metadata]).toEqual([...map]);
    expect(detachedMetadata(map).metadata).toBeInstanceOf(Map);
  });
});
