// The arms that a search leads to: how fast they are called, how often, and what they are named.
import { expect, it } from "vitest";
import { armsAtShares, tasksFor } from "../../src/saturation/find-capacities.ts";
import { anArm } from "../support/an-arm.ts";

const searched = anArm({ stack: "rest", variant: "single", attributes: 1, tasksPerRound: 500 });

it("make as many tasks as come while a block lasts: twenty at least, and no more than a round of their task has", () => {
  expect([40, 80, 81, 10_000].map((rateHz) => tasksFor(rateHz, 250, searched))).toEqual([20, 20, 21, 500]);
  expect(tasksFor(10_000, 250, { tasksPerRound: 10_000 })).toBe(2_500);
});

it("have the rate of their share to three digits, one block, and one answer for all stacks", () => {
  const search = { shares: [0.5, 1], blockMs: 250 };
  const arms = armsAtShares(searched, search, 1_234.56);
  expect(
    arms.map(({ tasksPerBlock, tasksPerRound, answerKey, pacing }) => ({
      tasksPerBlock,
      tasksPerRound,
      answerKey,
      rateHz: pacing?.pacer.factors["rateHz"],
    })),
  ).toEqual([
    { tasksPerBlock: 155, tasksPerRound: 155, answerKey: `${searched.answerKey}/share=0.5`, rateHz: 617 },
    { tasksPerBlock: 308, tasksPerRound: 308, answerKey: `${searched.answerKey}/share=1`, rateHz: 1_230 },
  ]);
  expect(arms.map(({ id }) => id)).toEqual([`${searched.id}/capacityShare=0.5`, `${searched.id}/capacityShare=1`]);
  expect(arms[0]?.factors).toEqual({ attributes: 1, arrivals: "poisson", capacityShare: 0.5 });
});

it("are named by their rate where that is what is asked about", () => {
  const [arm] = armsAtShares(searched, { limitMs: 20, shares: [0.9], blockMs: 100 }, 1_000);
  expect(arm).toMatchObject({ id: `${searched.id}/rateHz=900`, tasksPerRound: 90, tasksPerBlock: 90 });
});
