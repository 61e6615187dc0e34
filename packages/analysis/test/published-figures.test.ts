// The arithmetic of the 2010 study, repeated: from its raw table come exactly the tables that it printed.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { describeSamples, sortedCopy } from "../src/statistics/describe-samples.ts";
import { armFor, syntheticRun } from "./synthetic-run.ts";

type ByVariant<T> = Readonly<Record<"facade" | "chatty", Readonly<Record<string, T>>>>;

interface Study {
  readonly table1_bulkMs: ByVariant<readonly number[]>;
  readonly table2_meanMs: ByVariant<number>;
  readonly table3_lossPercentAgainstOneAttribute: ByVariant<number>;
}

const study = JSON.parse(
  readFileSync(new URL("../../../bench/reference/rablou-2010.json", import.meta.url), "utf8"),
) as Study;
const variants = ["facade", "chatty"] as const;

function meanOf(variant: (typeof variants)[number], attributes: string): number {
  return describeSamples(sortedCopy(study.table1_bulkMs[variant][attributes] ?? [])).mean;
}

test("the means of table 1 are table 2, to every printed digit", () => {
  const printed = variants.flatMap((variant) => Object.entries(study.table2_meanMs[variant]));
  expect(printed).toHaveLength(12);
  for (const variant of variants) {
    for (const [attributes, mean] of Object.entries(study.table2_meanMs[variant])) {
      expect(Number(meanOf(variant, attributes).toFixed(8))).toBe(mean);
    }
  }
});

test("the losses against one attribute are table 3, to every printed digit", () => {
  for (const variant of variants) {
    const printed = Object.entries(study.table3_lossPercentAgainstOneAttribute[variant]);
    expect(printed).toHaveLength(5);
    for (const [attributes, loss] of printed) {
      const ours = 100 * (meanOf(variant, attributes) / meanOf(variant, "1") - 1);
      expect(Number(ours.toPrecision(10))).toBe(loss);
    }
  }
});

test("the study, analysed: five times as long for six attributes, and a break-even near one", () => {
  const arms = variants.flatMap((variant) =>
    Object.keys(study.table1_bulkMs[variant]).map((attributes) =>
      armFor({
        stack: "wcf",
        title: "WCF",
        variant,
        factors: { attributes: Number(attributes) },
        callsPerTask: variant === "facade" ? 1 : Number(attributes),
      }),
    ),
  );
  const run = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 1 }, (arm, round) => {
    const bulks = study.table1_bulkMs[arm.variant as "facade" | "chatty"][String(arm.factors["attributes"])];
    return bulks?.[round] ?? Number.NaN;
  });
  const { comparisons, breakEvens } = analyse(run.facts, run.samples);
  const six = comparisons.find(({ numeratorId }) => numeratorId.endsWith("chatty/attributes=6"));
  expect(six).toMatchObject({ kind: "variant", verdict: "different", familySize: 6 });
  expect(six?.ratio).toBeCloseTo(4.97, 2);
  const one = comparisons.find(({ numeratorId }) => numeratorId.endsWith("chatty/attributes=1"));
  expect(one?.verdict).toBe("inconclusive");
  const [breakEven] = breakEvens;
  expect(breakEven?.line?.at).toBeCloseTo(0.993, 2);
  expect(breakEven?.line?.otherMsPerUnit).toBeCloseTo(88.805, 3);
  expect(breakEven?.line?.facadeMsPerUnit).toBeCloseTo(2.186, 3);
});
