// `check`: each scalar type becomes each other. Callers from before call servers from after, and decide the verdict of each pair: of a fifth of them, new
// with each commit, and of all in the project `full`.
import { beforeAll, describe, expect, it } from "vitest";
import { shareOf } from "../../../.ci/seed-properties.ts";
import type { Contract } from "@roundtrip/contract";
import { checkContracts, loadJudge } from "../src/index.ts";
import { compileVariants } from "./support/compile-text.ts";
import { worstOn, allows } from "./support/rows/row.ts";
import { triedStyles, Experiment } from "./support/rows/exchange.ts";
import { fileOfPairs, probesOfPair, scalarPairs } from "./support/rows/scalar-pairs.ts";

const pairs = shareOf(scalarPairs);

let before: Contract;
let after: Contract;

beforeAll(async () => {
  [before, after] = (await compileVariants([
    { "z.proto": fileOfPairs("before", pairs) },
    { "z.proto": fileOfPairs("after", pairs) },
  ])) as [Contract, Contract];
});

describe.each(triedStyles)("a scalar type that becomes another (%s)", (style) => {
  it("is judged as calls find", async () => {
    const judge = await loadJudge(style);
    const isExactStyle = !["graphql", "soap", "connect"].includes(style);
    await using experiment = await Experiment.open({ style, before, after });
    const wrong: string[] = [];
    for (const pair of pairs)
      for (const name of ["Send", "Ask", "Receive"] as const) {
        if (name === "Ask" && style !== "rest") continue;
        const operation = before.operations.find(({ method }) => method.name === `${name}${pair.index}`);
        if (operation === undefined) throw new Error(`${name} is missing`);
        const direction = name === "Receive" ? "received" : "sent";
        const tried = await experiment.decide(operation, direction, probesOfPair(pair, direction));
        const carrying = (contract: Contract): Contract => ({
          ...contract,
          operations: contract.operations.filter(({ id }) => id === operation.id),
        });
        const verdict = worstOn(checkContracts(carrying(before), carrying(after), [judge]), style);
        // A reader of a boolean takes any number but 0 as true: no call shows that it was 5.
        const isExact = isExactStyle && pair.before !== "bool";
        if (isExact ? verdict !== tried.verdict : !allows(tried.verdict, verdict))
          wrong.push(
            `${pair.before} → ${pair.after}, ${name}: ${verdict}, but ${tried.verdict}: ${tried.why ?? "every call works"}`,
          );
      }
    expect(wrong).toEqual([]);
  });
});
