// Random requests to every stack: some that never change, and some that are new with each commit. `pnpm fuzz differential` makes more of them.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { CallError } from "@roundtrip/contract";
import { describe, expect, inject, test } from "vitest";
import { comparedStacks, compareStacks } from "../fuzz/differential/differential.ts";
import { usualStyleStacks } from "../fuzz/style-stacks.ts";

/** Far longer than the requests take, also on a busy machine. */
const limitMs = 100_000;

describe("every stack answers what the service answers", () => {
  test.each([
    { which: "requests that are the same each time", seed: 1 },
    { which: "requests that are new with each commit", seed: inject("commitSeed") },
  ])("to $which (seed $seed), and gets as many as asked for", async ({ seed }) => {
    const reported: number[] = [];
    const { difference, requests } = await compareStacks({
      stacks: usualStyleStacks,
      requests: 160,
      seed,
      limitMs,
      onProgress: (done) => void reported.push(done),
      onShrink: () => undefined,
    });
    expect(difference, `pnpm fuzz differential --requests 160 --seed ${seed}`).toBeUndefined();
    expect(requests).toBe(160);
    expect(reported).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
  });
});

const contract = conformanceContract();
const look = contract.operation("roundtrip.conformance.v1.ConformanceService.Look");
const nothing = { reads: Infinity, answers: [], error: undefined, metadata: new Map<string, string>() };

test.each([
  {
    what: "a request that SOAP cannot carry, with an error that it carries in part",
    stack: "soap-node-http",
    sample: {
      operation: look,
      requests: [create(look.input, { colours: [3] })],
      metadata: new Map([["age", "1"]]),
      reply: { ...nothing, error: new CallError("CANCELLED", "\u0000") },
    },
    differences: [],
  },
  {
    what: "a reply that the handler does not give",
    stack: "rest-express",
    sample: { operation: look, requests: [create(look.input)], metadata: new Map<string, string>(), reply: nothing },
    differences: [],
  },
])("$what is no difference", async ({ stack, sample, differences }) => {
  const compared = await comparedStacks(contract, [stack]);
  try {
    expect(await compared.differencesOn(sample)).toEqual(differences);
  } finally {
    await compared.close();
  }
});
