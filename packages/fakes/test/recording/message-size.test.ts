// The estimated size of a message is at least that of its texts.
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { SayHelloRequestSchema, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { sizeIn } from "../../src/recording/message-size.ts";

const contract = conformanceContract();
const { input } = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");
const messages = messageArbitrary(input, { registry: contract.registry, maxDepth: 3, valuesOf: () => undefined });

/** All scalar values in a message, without type names. */
function valuesIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [value];
  return Object.entries(value).flatMap(([name, one]) => (name === "$typeName" ? [] : valuesIn(one)));
}

describe("the size of a message", () => {
  it("is at least that of its texts, and Infinity only if parts have to be copied", () => {
    fc.assert(
      fc.property(messages, (message: Message) => {
        const bytes = sizeIn(input)(message);
        const values = valuesIn(message);
        const holdsBytes = values.some((value) => value instanceof Uint8Array);
        expect(Number.isFinite(bytes)).toBe(!holdsBytes);
        if (holdsBytes) return;
        const texts = values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
        expect(bytes).toBeGreaterThan(texts);
      }),
      { numRuns: 100 },
    );
  });

  it("is Infinity for a message with unknown fields", () => {
    const other = toBinary(SayHelloResponseSchema, { $typeName: "roundtrip.v1.SayHelloResponse", message: "known" });
    expect(sizeIn(SayHelloRequestSchema)(fromBinary(SayHelloRequestSchema, other))).toBeLessThan(1_000);
    const unknown = Uint8Array.of(...other, 0x98, 0x06, 0x01);
    expect(sizeIn(SayHelloRequestSchema)(fromBinary(SayHelloRequestSchema, unknown))).toBe(Infinity);
  });
});
