// `check`: earlier callers confirm its verdicts on random contract changes.
import { randomCases } from "../../../.ci/seed-properties.ts";
import { checkContracts, loadJudge, type StyleJudge } from "../src/index.ts";
import { compileFiles } from "./support/compile-text.ts";
import { fieldMutations } from "./support/mutations/field-mutations.ts";
import { randomFrom, one } from "./support/mutations/mutation.ts";
import { callAsBefore, type CalledStyle } from "./support/mutations/old-caller.ts";
import { otherMutations } from "./support/mutations/other-mutations.ts";
import type { Renamed } from "./support/mutations/same-values.ts";
import type { Random } from "./support/mutations/sample-message.ts";
import { worstOn } from "./support/rows/row.ts";
import { shop } from "./support/shop.ts";
import { clone, create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type Contract, contractFromImage } from "@roundtrip/contract";
import { assert, asyncProperty, integer } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";

const mutations = { ...fieldMutations, ...otherMutations };

interface Mutated {
  readonly contract: Contract;
  readonly renamed: Renamed;
  /** What was done. */
  readonly done: readonly string[];
}

/** A contract with so many mutations; undefined when the result is not a contract. */
function mutated(contract: Contract, fileName: string, times: number, random: Random): Mutated | undefined {
  const files = [...contract.registry.files].map(({ proto }) => clone(FileDescriptorProtoSchema, proto));
  const file = files.find(({ name }) => name === fileName);
  if (file === undefined) throw new Error(`there is no file ${fileName}`);
  const renamed: Record<string, string> = {};
  const names = Object.keys(mutations);
  const done: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const what = mutations[one(names, random) ?? ""]?.({ file, renamed, random, count });
    if (what !== undefined) done.push(what);
  }
  try {
    const image = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files }));
    return { contract: contractFromImage(image), renamed, done };
  } catch {
    // A path with a list in it, and the like.
    return undefined;
  }
}

let before: Contract;
let judges: readonly StyleJudge[];
beforeAll(async () => {
  judges = await Promise.all(called.map(loadJudge));
  before = await compileFiles({ "shop.proto": shop });
});

const called = ["grpc", "rest", "graphql", "json-rpc", "soap", "connect"] as const satisfies readonly CalledStyle[];

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
        const rows = checkContracts(before, change.contract, judges);
        for (const style of called) {
          const verdict = worstOn(rows, style);
          // oxlint-disable-next-line no-await-in-loop
          const failed = await failures(change, style, seed, verdict === "breaks");
          const isKept = verdict === "may break" || (verdict === "breaks") === failed.length > 0;
          expect({ style, verdict, done: change.done, failed, isKept }).toMatchObject({ isKept: true });
        }
      }),
      { numRuns: randomCases(numRuns), seed: 1, endOnFailure: true },
    );
  });
});
