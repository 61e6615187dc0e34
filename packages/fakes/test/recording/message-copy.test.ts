// A copy equals the message, and shares no object with it.
import { create, toBinary, type Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { EchoResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { messageCopy } from "../../src/recording/message-copy.ts";

const contract = conformanceContract();
const echo = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");
const messages = messageArbitrary(echo.input, { registry: contract.registry, maxDepth: 3, valuesOf: () => undefined });

/** Every object in a message, itself included. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return value instanceof Uint8Array ? [value] : [value, ...Object.values(value).flatMap(objectsIn)];
}

function copied(message: Message): Message {
  return messageCopy(message, Infinity)?.message ?? message;
}

describe("a copy of a message", () => {
  it("has the same encoding", () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(toBinary(echo.input, copied(message))).toEqual(toBinary(echo.input, message));
      }),
      { numRuns: 50 },
    );
  });

  it("shares no object with it", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const own = new Set(objectsIn(message));
        expect(objectsIn(copied(message)).filter((one) => own.has(one))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("is undefined if it exceeds the limit", () => {
    const message = create(EchoResponseSchema, { text: "x".repeat(100), data: new Uint8Array(1_000) });
    const { bytes = 0 } = messageCopy(message, Infinity) ?? {};
    expect(bytes).toBeGreaterThan(1_100);
    expect(messageCopy(message, bytes)).toBeDefined();
    expect(messageCopy(message, bytes - 1)).toBeUndefined();
  });
});
