// `check`: earlier callers confirm its verdicts on random contract changes.
import { assert, asyncProperty, integer } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Contract } from "@roundtrip/contract";
import { checkContracts, loadJudge, type StyleJudge } from "@roundtrip/changes";
import { compileFiles } from "./support/check/compile-text.ts";
import { mutated, type Mutated } from "./support/check/mutate-contract.ts";
import { callAsBefore, type CalledStyle } from "./support/check/old-caller.ts";
import { randomFrom } from "./support/check/random.ts";
import { shop } from "./support/check/shop.ts";
import { worstOn } from "./support/check/worst-verdict.ts";

let before: Contract;
let judges: readonly StyleJudge[];
beforeAll(async () => {
  judges = await Promise.all(called.map(loadJudge));
  before = await compileFiles({ "shop.proto": shop });
});

const called = ["grpc", "rest", "graphql", "json-rpc", "soap"] as const satisfies readonly CalledStyle[];

/** How many calls of callers from before fail; many more are made where one has to be found. */
async function failures(
  change: Mutated,
  style: CalledStyle,
  seed: number,
  isOneWanted: boolean,
): Promise<readonly string[]> {
  const exchange = { before, after: change.contract, renamed: change.renamed };
  const few = await callAsBefore(exchange, style, { random: randomFrom(seed), times: 12 });
  if (few.failures.length > 0 || !isOneWanted) return few.failures;
  return (await callAsBefore(exchange, style, { random: randomFrom(seed + 1), times: 80 })).failures;
}

describe("a contract that is changed at random", () => {
  it.each([
    [1, 12],
    [3, 6],
  ])("by %i mutations breaks the callers that check expects, and no others", async (times, numRuns) => {
    await assert(
      asyncProperty(integer({ min: 0, max: 1_000_000 }), async (seed) => {
        const change = mutated(before, "shop.proto", times, randomFrom(seed));
        if (change === undefined) return;
        const rows = await checkContracts(before, change.contract, judges);
        for (const style of called) {
          const verdict = worstOn(rows, style);
          // oxlint-disable-next-line no-await-in-loop
          const failed = await failures(change, style, seed, verdict === "breaks");
          const isKept = verdict === "may break" || (verdict === "breaks") === failed.length > 0;
          expect({ style, verdict, done: change.done, failed, isKept }).toMatchObject({ isKept: true });
        }
      }),
      { numRuns, seed: 1, endOnFailure: true },
    );
  });
});
