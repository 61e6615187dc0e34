// A figure stands for an interval up to a factor of four; a wider one says where the figure is.
import type { Claim, CrossoverClaim, LoadClaim } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { claimSentences } from "../src/words/claim-sentences.ts";

const arms = ["REST", "gRPC"].map((title) => ({
  id: title,
  title,
  stack: title,
  stackTitle: title,
})) as unknown as readonly Arm[];
const about = { study: "study", task: "read", strength: "clear", armIds: ["REST", "gRPC"] } as const;

function textOf(claim: Claim): string {
  return claimSentences({ arms, claims: [claim] })[0]?.text ?? "";
}

function crossover(low: number | null, high: number | null): CrossoverClaim {
  const of = { variant: "chatty-parallel", aboveMs: 3, always: null, nearestMs: 0, farthestMs: 50 } as const;
  return { ...about, kind: "crossover", ...of, low, high };
}

test.each([
  [1, 4, "loses above 3 ms (1 to 4 ms)"],
  [0.9, 4, "begins to lose somewhere from 900 µs to 4 ms"],
  [-1, 4, "begins to lose somewhere from 0 to 4 ms"],
])("a crossover from %s to %s ms", (low, high, text) => {
  expect(textOf(crossover(low, high))).toContain(`REST (façade over gRPC) ${text}.`);
});

test("a crossover that no interval confirms is none, and equal ones share a clause", () => {
  const open = { ...crossover(null, null), aboveMs: null, always: "facade", strength: "open" } as const;
  expect(textOf(open)).toContain("against the façade: cannot tell of REST (façade over gRPC).");
  const own = (id: string) => ({ ...open, strength: "clear" as const, armIds: [id, id] });
  const claims = [own("REST"), own("gRPC")];
  expect(claimSentences({ arms, claims })[0]?.text).toContain(
    "against the façade: REST and gRPC lose from 0 to 50 ms.",
  );
});

function load(low: number | null, high: number | null): LoadClaim {
  return {
    ...about,
    kind: "load",
    bound: "measured",
    limitMs: 20,
    rateHz: 100,
    isGeneratorLimit: false,
    low,
    high,
  };
}

test.each([
  [50, 200, "100 a second (50 to 200)"],
  [40, 200, "somewhere from 40 to 200 a second"],
  [null, 200, "100 a second (beyond what was measured to 200)"],
])("a load from %s to %s a second", (low, high, text) => {
  expect(textOf(load(low, high))).toMatch(new RegExp(`carried ${text.replaceAll(/[()]/g, String.raw`\$&`)}\\.$`));
});
