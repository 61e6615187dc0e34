// `check`: what typical changes do to callers of each style, against what was written down by hand, and against callers of the contract
// before who call a server of the one after.
import { beforeAll, describe, expect, it } from "vitest";
import type { Contract } from "@roundtrip/contract";
import { checkContracts } from "../src/check/check-contracts.ts";
import { checkStyles, type Verdict } from "../src/check/judgement.ts";
import { compileFiles } from "./support/check/compile-text.ts";
import { callAsBefore, type CalledStyle } from "./support/check/old-caller.ts";
import { randomFrom } from "./support/check/random.ts";
import { shop } from "./support/check/shop.ts";
import { shopAfter, type TypicalChange } from "./support/check/typical-change.ts";
import { typicalChanges } from "./support/check/typical-changes.ts";
import { worstOn } from "./support/check/worst-verdict.ts";

let before: Contract;
beforeAll(async () => {
  before = await compileFiles({ "shop.proto": shop });
});

const compiled = new Map<TypicalChange, Promise<Contract>>();

async function contractAfter(change: TypicalChange): Promise<Contract> {
  const other = change.file === undefined ? {} : { "thing.proto": change.file };
  const known = compiled.get(change) ?? compileFiles({ "shop.proto": shopAfter(change), ...other });
  compiled.set(change, known);
  return known;
}

const cases = typicalChanges.map((change) => [change.title, change] as const);

// Each waits for two runs of buf: together, no processor does meanwhile.
describe.concurrent("a change that contracts typically go through", () => {
  it.for(cases)("is judged as written down: %s", async ([_title, change]) => {
    const rows = await checkContracts(before, await contractAfter(change), checkStyles);
    expect(checkStyles.map((style) => worstOn(rows, style))).toEqual(change.expected);
  });
});

/** How calls may fare: all well, some badly, or at least some well. */
function fits(verdict: Verdict | undefined, failed: number, calls: number): boolean {
  if (verdict === "safe") return failed === 0;
  return verdict === "breaks" ? failed > 0 : failed < calls;
}

const called = ["grpc", "rest", "graphql"] as const satisfies readonly CalledStyle[];

describe.each(called)("a caller from before (%s)", (style) => {
  it.each(cases)("fares as it is told: %s", async (_title, change) => {
    const verdict = change.expected[checkStyles.indexOf(style)];
    const exchange = { before, after: await contractAfter(change), renamed: change.renamed };
    const { calls, failures } = await callAsBefore(exchange, style, { random: randomFrom(1), times: 6 });
    expect({ verdict, failures, calls }).toSatisfy(() => fits(verdict, failures.length, calls));
  });
});
