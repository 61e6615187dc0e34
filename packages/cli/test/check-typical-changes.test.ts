// `check`: its verdicts on typical changes match hand-written ones, and earlier callers of later servers confirm them.
import { beforeAll, describe, expect, it } from "vitest";
import type { Contract } from "@roundtrip/contract";
import type { ChangeVerdict } from "@roundtrip/styles";
import { checkContracts } from "../src/check/check-contracts.ts";
import { loadJudge, type StyleJudge } from "../src/check/judges.ts";
import { compileVariants } from "./support/check/compile-text.ts";
import { callAsBefore, type CalledStyle } from "./support/check/old-caller.ts";
import { randomFrom } from "./support/check/random.ts";
import { shop } from "./support/check/shop.ts";
import { expectedOf, shopAfter, type TypicalChange } from "./support/check/typical-change.ts";
import { typicalChanges } from "./support/check/typical-changes.ts";
import { worstOn } from "./support/check/worst-verdict.ts";

let before: Contract;
let judges: readonly StyleJudge[];
const compiled = new Map<TypicalChange, Contract>();

beforeAll(async () => {
  const texts = typicalChanges.map((change) => ({
    "shop.proto": shopAfter(change),
    ...(change.file === undefined ? {} : { "thing.proto": change.file }),
  }));
  const [first, ...others] = await compileVariants([{ "shop.proto": shop }, ...texts]);
  if (first === undefined) throw new Error("nothing was compiled");
  before = first;
  for (const [index, contract] of others.entries()) compiled.set(typicalChanges[index] as TypicalChange, contract);
  judges = await Promise.all(expectedOf.map(loadJudge));
});

function contractAfter(change: TypicalChange): Contract {
  const contract = compiled.get(change);
  if (contract === undefined) throw new Error(`${change.title} was not compiled`);
  return contract;
}

const cases = typicalChanges.map((change) => [change.title, change] as const);

// Each waits for a run of buf: together, no processor does meanwhile.
describe.concurrent("a change that contracts typically go through", () => {
  it.for(cases)("is judged as written down: %s", async ([_title, change]) => {
    const rows = await checkContracts(before, contractAfter(change), judges);
    expect(expectedOf.map((style) => worstOn(rows, style))).toEqual(change.expected);
  });
});

/** How calls may fare: all well, some badly, or at least some well. */
function fits(verdict: ChangeVerdict | undefined, failed: number, calls: number): boolean {
  if (verdict === "safe") return failed === 0;
  return verdict === "breaks" ? failed > 0 : failed < calls;
}

const called = ["grpc", "rest", "graphql", "json-rpc", "soap"] as const satisfies readonly CalledStyle[];

describe.each(called)("a caller from before (%s)", (style) => {
  it.each(cases)("confirms the verdict: %s", async (_title, change) => {
    const verdict = change.expected[expectedOf.indexOf(style)];
    const exchange = { before, after: contractAfter(change), renamed: change.renamed };
    const { calls, failures } = await callAsBefore(exchange, style, { random: randomFrom(1), times: 6 });
    expect({ verdict, failures, calls }).toSatisfy(() => fits(verdict, failures.length, calls));
  });
});
