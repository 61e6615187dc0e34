// Broken bytes for a moment: `pnpm fuzz bytes` goes on for longer. And that the fuzzer notices a fault where there is one.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { describe, expect, onTestFinished, test } from "vitest";
import { fuzzBytes } from "../fuzz/bytes.ts";
import { captured } from "../fuzz/captured-calls.ts";
import { loadFuzzedStyle } from "../fuzz/fuzzed-style.ts";
import { connectionPreface, frame, frameTypes } from "../fuzz/http2-frames.ts";
import { mutatedHttp, mutatedHttp2, randomFrom } from "../fuzz/mutate.ts";
import { exchange } from "../fuzz/raw-exchange.ts";
import { styleStacks } from "../fuzz/style-stacks.ts";

function failing(): never {
  throw new CallError("INTERNAL", "broken");
}

const defaults = styleStacks.filter(({ isDefault }) => isDefault);

describe.each(defaults)("$name", ({ name: stackName, style }) => {
  test("withstands broken bytes", async () => {
    const { exchanges, failure } = await fuzzBytes({ stackName, seed: 1, limitMs: 6_000, exchanges: 96 });
    expect(failure).toBeUndefined();
    expect(exchanges).toBeGreaterThan(0);
  });

  test("is at fault when a handler is", async () => {
    const contract = conformanceContract();
    const service = serviceOf(contract, new Map(contract.operations.map(({ id }) => [id, failing])));
    const server = await (await loadServe(stackName))(service, { ...serveDefaults, shutdownGraceMs: 100 });
    onTestFinished(() => server.close());
    const { url } = server;
    const { answerFaults: faults } = await loadFuzzedStyle(style);
    if (faults === undefined) throw new Error("the style does not define faults");
    const operation = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");
    const call = { operation, requests: [create(operation.input)], metadata: new Map<string, string>() };
    const pieces = [await captured(stackName, url, call)];
    const { bytes } = await exchange({ url, pieces, pauseMs: 0, listenMs: 2_000, isComplete: faults.isComplete });
    expect(faults.faultIn(bytes)).toMatch(/5\d\d|INTERNAL|13/i);
  });
});

const http2Call = [frame(frameTypes.settings, 0, 0), frame(frameTypes.data, 1, 1, Buffer.alloc(40, 7))];

test.each([
  { framing: "HTTP/1.1", mutated: mutatedHttp, call: Buffer.from("POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}") },
  { framing: "HTTP/2", mutated: mutatedHttp2, call: Buffer.concat([connectionPreface, ...http2Call]) },
])("broken $framing follows from the seed", ({ mutated, call }) => {
  const broken = (seed: number): readonly string[] => {
    const random = randomFrom(seed);
    return Array.from({ length: 20 }, () => mutated(call, [call], random).toString("base64"));
  };
  expect(broken(7)).toEqual(broken(7));
  expect(broken(7)).not.toEqual(broken(8));
});
