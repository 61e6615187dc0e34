// A copy equals the message, and shares no object with it. Its estimated size is at least that of its texts and bytes.
import { toBinary } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { copyOf, memoryOf } from "../../src/log/kept-messages.ts";

const contract = conformanceContract();
const { input } = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");
const messages = messageArbitrary(input, { registry: contract.registry, maxDepth: 3, valuesOf: () => undefined });

/** Every object in a message, itself included. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return value instanceof Uint8Array ? [value] : [value, ...Object.values(value).flatMap(objectsIn)];
}

/** All scalar values in a message. */
function valuesIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [value];
  return Object.values(value).flatMap(valuesIn);
}

describe("a copy of a message", () => {
  it("has the same encoding", () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(toBinary(input, copyOf(message))).toEqual(toBinary(input, message));
      }),
      { numRuns: 50 },
    );
  });

  it("shares no object with it", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const own = new Set(objectsIn(message));
        expect(objectsIn(copyOf(message)).filter((object) => own.has(object))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("does not keep the buffer that its bytes are a part of", () => {
    const { data } = copyOf({ data: Buffer.alloc(1_000).subarray(0, 10) });
    expect(data.buffer.byteLength).toBe(10);
  });
});

describe("the size of a message", () => {
  it("is at least that of its texts and bytes", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const lengths = valuesIn(message).map((value) =>
          typeof value === "string" || value instanceof Uint8Array ? value.length : 0,
        );
        expect(memoryOf(message)).toBeGreaterThan(lengths.reduce((sum, length) => sum + length, 0));
      }),
      { numRuns: 100 },
    );
  });
});
