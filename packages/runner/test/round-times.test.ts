// What a round is thought to take with a share of its calls.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Effort } from "../src/rounds/effort.ts";
import { RoundTimes, type BlockTimes, type WholeRound } from "../src/rounds/round-times.ts";
import { anArm } from "./support/an-arm.ts";

/** All cells, with this share of their calls. */
function at(share: number): Effort {
  return { lowestPriority: 1, share };
}

function took(roundMs: number): WholeRound {
  return { roundMs, verificationMs: 0, verifiedCalls: 0 };
}

function aBlock(
  id: string,
  tasksPerRound: number,
  times: Partial<BlockTimes> & { tasksPerBlock?: number; priority?: number },
): BlockTimes {
  const { tasksPerBlock = tasksPerRound, priority = 1, ...rest } = times;
  const arm = { id, tasksPerRound, tasksPerBlock, callsPerTask: 1, priority };
  return { arm, lane: undefined, tasks: tasksPerBlock, tasksMs: 0, blockMs: 0, ...rest };
}

/** The times of a round with these blocks, which was not the first. */
function after(roundMs: number, blocks: readonly BlockTimes[]): RoundTimes {
  const times = new RoundTimes();
  times.endRound(took(0));
  for (const block of blocks) times.add("part", block);
  times.endRound(took(roundMs));
  return times;
}

it("shrinks what tasks take, and neither the start of processes nor what a block takes beside its tasks", () => {
  // 10 ms of start, two blocks of 4 ms beside their tasks, 100 tasks of 1 ms.
  const blocks = [0, 1].map(() => aBlock("one", 100, { tasksPerBlock: 50, tasksMs: 50, blockMs: 54 }));
  const times = after(118, blocks);
  expect(times.roundMs(at(1))).toBeCloseTo(118);
  expect(times.roundMs(at(0.8))).toBeCloseTo(98);
  // Half of the tasks are one block.
  expect(times.roundMs(at(0.5))).toBeCloseTo(10 + 4 + 50);
});

it("saves nothing where blocks have one task", () => {
  const times = after(120, [
    aBlock("one", 1, { tasksMs: 50, blockMs: 55 }),
    aBlock("other", 1, { tasksMs: 50, blockMs: 55 }),
  ]);
  expect(times.roundMs(at(0.4))).toBeCloseTo(120);
  expect(times.shareOfCalls(at(0.4))).toBe(1);
});

it("saves of lanes that run side by side only what the longest of them is shorter", () => {
  const times = after(310, [
    aBlock("long and stiff", 1, { lane: "a", tasksMs: 200, blockMs: 200 }),
    aBlock("short", 10, { lane: "b", tasksMs: 150, blockMs: 150 }),
    aBlock("alone", 10, { tasksMs: 100, blockMs: 100 }),
  ]);
  expect(times.roundMs(at(1))).toBeCloseTo(310);
  expect(times.roundMs(at(0.5))).toBeCloseTo(10 + 200 + 50);
  expect(times.shareOfCalls(at(0.5))).toBeCloseTo(11 / 21);
});

it("thinks the same of a whole round whether the last one was whole or not", () => {
  const whole = after(110, [aBlock("one", 10, { tasksMs: 100, blockMs: 100 })]);
  const half = after(60, [aBlock("one", 10, { tasks: 5, tasksMs: 50, blockMs: 50 })]);
  for (const share of [0.4, 0.7, 1]) expect(half.roundMs(at(share))).toBeCloseTo(whole.roundMs(at(share)));
});

it("remembers of a round before what the last one left out", () => {
  const times = after(110, [
    aBlock("one", 10, { tasksMs: 50, blockMs: 50 }),
    aBlock("two", 10, { tasksMs: 50, blockMs: 50 }),
  ]);
  times.add("part", aBlock("one", 10, { tasksMs: 50, blockMs: 50 }));
  times.endRound(took(60));
  expect(times.roundMs(at(1))).toBeCloseTo(110);
});

const blocks = fc.array(
  fc
    .record({
      id: fc.constantFrom("a", "b", "c", "d"),
      lane: fc.constantFrom(undefined, "x", "y"),
      taskMs: fc.double({ min: 0.01, max: 100, noNaN: true }),
      besideMs: fc.double({ min: 0, max: 10, noNaN: true }),
      tasksPerRound: fc.integer({ min: 1, max: 60 }),
      tasksPerBlock: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ id, lane, taskMs, besideMs, tasksPerRound, tasksPerBlock }) => ({
      id: `${id} ${lane}`,
      lane,
      taskMs,
      besideMs,
      tasksPerRound,
      tasksPerBlock: Math.min(tasksPerBlock, tasksPerRound),
    })),
  { minLength: 1, maxLength: 8 },
);

it("takes what was measured with the share that was made, and never longer with fewer calls", () => {
  const shares = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(blocks, shares, shares, (all, one, other) => {
      const arms = [...new Map(all.map((block) => [block.id, block])).values()];
      const times = after(
        1e6,
        arms.flatMap(({ id, lane, taskMs, besideMs, tasksPerRound, tasksPerBlock }) =>
          Array.from({ length: Math.ceil(tasksPerRound / tasksPerBlock) }, (_, turn) => {
            const tasks = Math.min(tasksPerBlock, tasksPerRound - turn * tasksPerBlock);
            const tasksMs = tasks * taskMs;
            return aBlock(id, tasksPerRound, { lane, tasksPerBlock, tasks, tasksMs, blockMs: tasksMs + besideMs });
          }),
        ),
      );
      expect(times.roundMs(at(1))).toBeCloseTo(1e6, 3);
      expect(times.roundMs(at(Math.min(one, other)))).toBeLessThanOrEqual(
        times.roundMs(at(Math.max(one, other))) + 1e-6,
      );
    }),
  );
});

it("takes three quarters of what the first round took beside its blocks, where no other has ended", () => {
  const times = new RoundTimes();
  times.add("part", aBlock("one", 100, { tasksMs: 60, blockMs: 60 }));
  times.endRound({ roundMs: 460, verificationMs: 80, verifiedCalls: 2 });
  // One of the two calls that were verified is not kept.
  expect(times.roundMs(at(1))).toBeCloseTo(0.75 * (400 - 40) + 60);
  times.add("part", aBlock("one", 100, { tasksMs: 60, blockMs: 60 }));
  times.endRound(took(460));
  expect(times.roundMs(at(1))).toBeCloseTo(460);
});

it("leaves out what cells of low priority take, and what verifying them took", () => {
  const times = after(0, []);
  for (const priority of [1, 2, 3]) {
    times.add("part", aBlock(`${priority}`, 100, { priority, tasksMs: 50, blockMs: 50 }));
  }
  times.endRound({ roundMs: 210, verificationMs: 30, verifiedCalls: 3 });
  expect(times.roundMs({ lowestPriority: 3, share: 1 })).toBeCloseTo(210);
  expect(times.roundMs({ lowestPriority: 1, share: 1 })).toBeCloseTo(210 - 100 - 20);
});

it("expects of what was never measured what calls took in warming up, and corrects that as the round goes on", () => {
  const times = new RoundTimes();
  const arms = [1, 2, 3, 4].map((attributes) =>
    anArm({ stack: "rest", variant: "facade", attributes, tasksPerRound: 100, tasksPerBlock: 100 }),
  );
  times.expect("part", arms, () => 0.5);
  times.started(took(1_000));
  expect(times.undoneMs(at(1))).toBeCloseTo(4 * 54);
  expect(times.roundMs(at(1))).toBeCloseTo(0.75 * 1_000 + 4 * 54);
  for (const arm of arms.slice(0, 2)) {
    times.add("part", { arm, lane: undefined, tasks: 100, tasksMs: 104, blockMs: 108 });
  }
  // Twice as slow as expected.
  expect(times.undoneMs(at(1))).toBeCloseTo(2 * 108);
});
