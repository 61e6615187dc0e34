// Broken bytes for a moment: `pnpm fuzz` goes on for longer. And that the fuzzer sees a fault where there is one.
import { CallError } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { loadFuzzedStyle } from "../fuzz/fuzzed-style.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { corpusOf, fuzzedStacks } from "../fuzz/corpus-of.ts";
import { fuzz } from "../fuzz/fuzz.ts";
import { mutatedHttp, mutatedHttp2 } from "../fuzz/mutate.ts";
import { randomFrom } from "../fuzz/random.ts";
import { exchange } from "../fuzz/raw-exchange.ts";

function failing(): never {
  throw new CallError("INTERNAL", "broken");
}

const defaults = fuzzedStacks.filter(({ isDefault }) => isDefault);

describe.each(defaults)("$name", ({ name: stackName, style }) => {
  test("stands what is broken", async () => {
    const { exchanges, failure } = await fuzz({ stackName, seed: 1, limitMs: 6_000, exchanges: 96 });
    expect(failure).toBeUndefined();
    expect(exchanges).toBeGreaterThan(0);
  });

  test("is seen to be at fault when a handler is", async () => {
    const contract = conformanceContract();
    const service = serviceOf(contract, new Map(contract.operations.map(({ id }) => [id, failing])));
    const server = await (await loadServe(stackName))(service, { ...serveDefaults, shutdownGraceMs: 100 });
    onTestFinished(() => server.close());
    const { answerFaults: faults } = await loadFuzzedStyle(style);
    if (faults === undefined) throw new Error("a style says what is a fault");
    for (const input of corpusOf(style)) {
      const { bytes } = await exchange({
        url: server.url,
        pieces: [input],
        pauseMs: 0,
        listenMs: 2_000,
        isComplete: faults.isComplete,
      });
      expect(faults.faultIn(bytes)).toMatch(/5\d\d|INTERNAL|13/i);
    }
  });
});

test("what is broken follows from the seed", () => {
  for (const [mutated, style] of [
    [mutatedHttp, "rest"],
    [mutatedHttp2, "grpc"],
  ] as const) {
    const corpus = corpusOf(style);
    const broken = (seed: number): readonly string[] => {
      const random = randomFrom(seed);
      return Array.from({ length: 20 }, () => mutated(random.pick(corpus), corpus, random).toString("base64"));
    };
    expect(broken(7)).toEqual(broken(7));
    expect(broken(7)).not.toEqual(broken(8));
  }
});
