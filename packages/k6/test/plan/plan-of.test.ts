// A round laid out in time: whose cells these are, when they begin, and with which arrivals.
import { closedLoop } from "@roundtrip/runner";
import { paceOf, scheduleRound, type PlannedArm } from "@roundtrip/runner/parts";
import { assert, integer, asyncProperty } from "fast-check";
import { describe, expect, it } from "vitest";
import { k6ArmsOf } from "../../src/plan/k6-arms.ts";
import { patientTiming, planOf } from "../../src/plan/plan-of.ts";
import { armsFor, farAway, greeting, image, planFor, poissonAt, reading, under } from "../support/runner-arms.ts";

const blocksOf = (arms: readonly PlannedArm[], seed: number) => scheduleRound(arms, seed, 0);

describe("a plan", () => {
  it("has a cell for each block, in the order of the round, with names that k6 takes", async () => {
    const arms = await armsFor([greeting, reading]);
    const { cells } = await planFor(arms, 7);
    expect(cells.map(({ armId, tasks }) => [armId, tasks])).toEqual(
      blocksOf(arms, 7).map(({ arm, tasks }) => [arm.id, tasks]),
    );
    expect(cells.map(({ name }) => name)).toEqual(cells.map((_, index) => `c${String(index).padStart(4, "0")}`));
    expect(cells.map(({ block }) => block)).toEqual(cells.map((_, index) => index));
  });

  it("never has two cells at once, whatever the seed", async () => {
    const arms = await armsFor([
      greeting,
      under(poissonAt(200), reading, 20),
      under({ pacer: closedLoop({ thinkMs: 5, thinkTime: "exponential" }) }, greeting, 12, 3),
    ]);
    await assert(
      asyncProperty(integer({ min: 0, max: 1_000 }), async (seed) => {
        const { cells } = await planFor(arms, seed);
        for (const [index, { startsMs, beginsMs }] of cells.entries()) {
          const before = cells[index - 1];
          expect(startsMs).toBeGreaterThanOrEqual((before?.beginsMs ?? 0) + (before?.mostMs ?? 0));
          expect(beginsMs).toBeGreaterThan(startsMs);
        }
      }),
      { numRuns: 5 },
    );
  });

  it("has the arrivals of the run's own pacer, the same on every stack, to the microsecond", async () => {
    const load = poissonAt(500);
    const { cells } = await planFor(await armsFor([under(load, greeting, 50)]), 3);
    const { startsMs } = paceOf(load, 50, { seed: 3, round: 0, turn: 0 }) as { readonly startsMs: Float64Array };
    expect(cells).toHaveLength(3);
    for (const { arrivalsMs, pausesMs, mostMs } of cells) {
      expect(pausesMs).toBeNull();
      expect(arrivalsMs).toHaveLength(50);
      arrivalsMs?.forEach((atMs, index) => expect(atMs).toBeCloseTo(startsMs[index] ?? Number.NaN, 3));
      expect(mostMs).toBeGreaterThan(arrivalsMs?.at(-1) ?? Number.NaN);
    }
  });

  it("omits what k6 cannot do, and keeps the numbers of the others", async () => {
    const arms = await armsFor([greeting, { ...reading, links: [farAway] }], ["rest-express"]);
    const schedule = blocksOf(arms, 1);
    const prepared = await k6ArmsOf(arms, image.contract);
    const timing = patientTiming(5);
    const plan = planOf({ prepared, schedule, seed: 1, round: 4, firstBlock: 100, contractHash: "c0ffee", timing });
    const wanted = schedule.flatMap(({ arm }, index) => (arm.task === "greet" ? [100 + index] : []));
    expect(plan.cells.map(({ block }) => block)).toEqual(wanted);
    expect(plan).toMatchObject({ studies: ["small"], seed: 1, round: 4, contractHash: "c0ffee" });
    expect(plan.arms.map(({ facts }) => facts.task)).toEqual(["greet"]);
  });
});
