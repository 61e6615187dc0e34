import { assert, double, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { seedOf, shuffled } from "../src/basics/seeded-order.ts";
import { partsOfRound, scheduleRound, tasksAtShare } from "../src/rounds/schedule.ts";
import { anArm } from "./support/an-arm.ts";

const arms = ["grpc-js", "rest-express", "floor"].flatMap((stack) =>
  [1, 2, 3].flatMap((attributes) =>
    ["facade", "chatty"].map((variant) =>
      anArm({ stack, variant, attributes, tasksPerRound: 250, tasksPerBlock: 100 }),
    ),
  ),
);

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

describe("the order of a round's blocks", () => {
  it("makes all blocks of an arm as large, within one task, with any share of its calls", () => {
    const sizes = record({
      tasksPerRound: integer({ min: 1, max: 2_000 }),
      tasksPerBlock: integer({ min: 1, max: 500 }),
    });
    assert(
      property(sizes, double({ min: 0.01, max: 1, noNaN: true }), (size, share) => {
        const arm = anArm({ stack: "rest", variant: "facade", attributes: 1, ...size });
        const tasks = scheduleRound([arm], 1, 0, share).map((block) => block.tasks);
        expect(tasks.reduce((sum, of) => sum + of, 0)).toBe(tasksAtShare(arm, share));
        expect(Math.max(...tasks) - Math.min(...tasks)).toBeLessThanOrEqual(1);
        expect(Math.max(...tasks)).toBeLessThanOrEqual(size.tasksPerBlock);
      }),
    );
  });

  it("gives every arm the share of its tasks that there is time for, rounded up", () => {
    const single = { tasksPerRound: 100, callsPerTask: 1 };
    expect([0.1, 0.5, 0.505, 1].map((share) => tasksAtShare(single, share))).toEqual([10, 50, 51, 100]);
    const sizes = scheduleRound(arms.slice(0, 1), 1, 0, 0.5).map(({ tasks }) => tasks);
    expect(ascending(sizes)).toEqual([62, 63]);
  });

  it("gives up tasks of several calls first, down to as many calls as single ones make", () => {
    const six = { tasksPerRound: 100, callsPerTask: 6 };
    // 0.5 of single calls; 1 / (1 + 5 × 0.5) of that.
    expect([1, 0.5, 0.01].map((share) => tasksAtShare(six, share))).toEqual([100, 15, 1]);
    const many = { tasksPerRound: 60_000, callsPerTask: 6 };
    expect(6 * tasksAtShare(many, 0.01)).toBeLessThan(1.2 * tasksAtShare({ ...many, callsPerTask: 1 }, 0.01));
    const [facade, chatty] = arms;
    if (facade === undefined || chatty === undefined) throw new Error("there are two");
    const blocks = scheduleRound([facade, { ...chatty, callsPerTask: 3 }], 1, 0, 0.5);
    const sizesOf = (id: string): readonly number[] =>
      ascending(blocks.filter(({ arm }) => arm.id === id).map(({ tasks }) => tasks));
    expect(sizesOf(facade.id)).toEqual([62, 63]);
    expect(sizesOf(chatty.id)).toEqual([63]);
  });

  it("keeps the variants of one task on one stack next to each other", () => {
    assert(
      property(integer(), (seed) => {
        const blocks = scheduleRound(arms, seed, 0);
        for (let pair = 0; pair < blocks.length; pair += 2) {
          const [one, other] = [blocks[pair]?.arm, blocks[pair + 1]?.arm];
          expect(one?.answerKey).toBe(other?.answerKey);
          expect(one?.stack).toBe(other?.stack);
          expect(one?.variant).not.toBe(other?.variant);
        }
      }),
    );
  });

  it("keeps the order of a study's tasks on each stack if it asks for that, whatever is measured with it", () => {
    const kept = arms.filter(({ stack }) => stack !== "floor").map((arm) => ({ ...arm, keepsOrder: true }));
    const others = arms.filter(({ stack }) => stack === "floor");
    const inOrder = (seed: number): readonly string[] =>
      scheduleRound([...others, ...kept], seed, 0).flatMap(({ arm, turn }) =>
        arm.keepsOrder === true && turn === 0 ? [arm.id] : [],
      );
    const [grpc, rest] = ["grpc-js", "rest-express"].map((name) =>
      kept.flatMap(({ id, stack }) => (stack === name ? [id] : [])),
    );
    const orders = new Set(Array.from({ length: 20 }, (_, seed) => inOrder(seed).join(" ")));
    expect(orders).toEqual(
      new Set([[...(grpc ?? []), ...(rest ?? [])].join(" "), [...(rest ?? []), ...(grpc ?? [])].join(" ")]),
    );
    expect(scheduleRound([...others, ...kept], 1, 0)).toHaveLength(3 * arms.length);
  });

  it("keeps façade and chatty side by side when other variants are measured with them", () => {
    const four = ["facade", "chatty", "chatty-parallel", "together"].map((variant) =>
      anArm({ stack: "graphql-apollo", variant, attributes: 6 }),
    );
    for (let seed = 0; seed < 100; seed += 1) {
      const order = scheduleRound(four, seed, 0).map((block) => block.arm.variant);
      expect(Math.abs(order.indexOf("facade") - order.indexOf("chatty"))).toBe(1);
    }
  });
});

it("shuffling is the same in every version: a run that was kept can be made again from its seed", () => {
  expect([seedOf(1, 0), seedOf(1, 2, 3), seedOf(42, 7)]).toEqual([1_580_013_426, -376_983_554, 1_864_543_335]);
  expect(shuffled([0, 1, 2, 3, 4, 5, 6, 7], 1)).toEqual([1, 7, 5, 4, 2, 3, 0, 6]);
  expect(shuffled([0, 1, 2, 3, 4, 5, 6, 7], seedOf(1, 2, 3))).toEqual([4, 6, 7, 2, 0, 3, 5, 1]);
});

const armOf = (study: string, stack: string) => anArm({ study, stack, variant: "facade", attributes: 1 });

function studiesOf(
  round: number,
  ...armsOfStudies: readonly ReturnType<typeof anArm>[]
): readonly (readonly string[])[] {
  return partsOfRound(armsOfStudies, 7, round).map(({ studies }) => studies);
}

it("measures studies together that share processes, also when they do so through a third one", () => {
  const armsOfStudies = [armOf("a", "rest"), armOf("b", "grpc"), armOf("c", "rest"), armOf("c", "grpc")];
  expect(studiesOf(0, ...armsOfStudies).map((studies) => studies.toSorted())).toEqual([["a", "b", "c"]]);
});

it("measures a study alone that shares no process with another, and every arm once", () => {
  const armsOfStudies = [armOf("far", "rest/rttMs=50"), armOf("near", "rest"), armOf("far", "grpc/rttMs=50")];
  const parts = partsOfRound(armsOfStudies, 7, 0);
  expect(parts.map(({ studies }) => studies)).toEqual(expect.arrayContaining([["far"], ["near"]]));
  expect(new Set(parts.flatMap((part) => part.arms))).toEqual(new Set(armsOfStudies));
});

it("draws the order of the parts anew for each round, and the same for the same seed", () => {
  const separate = ["a", "b", "c", "d"].map((study) => armOf(study, study));
  const orders = Array.from({ length: 12 }, (_, round) => studiesOf(round, ...separate).join(" "));
  expect(new Set(orders).size).toBeGreaterThan(3);
  expect(studiesOf(3, ...separate).join(" ")).toBe(orders[3]);
});
