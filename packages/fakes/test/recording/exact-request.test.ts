// A recorded condition matches its request and no other.
import { toJson, type Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { exactRequest } from "../../src/recording/recording.ts";
import { requestPattern } from "../../src/stubs/request-pattern.ts";

const { registry, ...contract } = conformanceContract();
const { input } = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");

/**
 * Whether a recording can contain the request: ProtoJSON cannot express a `google.protobuf.Value` that is not a finite number, and a message of any
 * type that contains one is not equal to any other, not even to itself.
 */
function isRecordable(request: Message): boolean {
  try {
    const text = JSON.stringify(toJson(input, request, { registry }));
    return !(text.includes("@type") && text.includes("NaN"));
  } catch {
    return false;
  }
}

const requests = messageArbitrary(input, { registry, maxDepth: 3, valuesOf: () => undefined }).filter(isRecordable);

const patternOf = (request: Message) => requestPattern(input, exactRequest(input, request, registry), registry);

it("matches every request with its own recorded condition", () => {
  fc.assert(
    fc.property(requests, (request) => {
      expect(patternOf(request).matches(request)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it("matches two requests with each other's conditions only if they are equal", () => {
  const pairs = requests.chain((request) =>
    fc.tuple(fc.constant(request), fc.oneof(requests, fc.constant({ ...request }))),
  );
  fc.assert(
    fc.property(pairs, ([left, right]) => {
      fc.pre(patternOf(left).matches(right) && patternOf(right).matches(left));
      expect(toJson(input, right, { registry })).toEqual(toJson(input, left, { registry }));
    }),
    { numRuns: 50 },
  );
});
