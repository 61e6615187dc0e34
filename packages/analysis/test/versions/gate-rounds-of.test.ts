// What a gate is given of a run: one number for each round and cell, from blocks that stand next to each other.
import type { Arm, Block } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import type { ArmTasks } from "../../src/calls/tasks-of.ts";
import { gateRoundsOf } from "../../src/versions/gate-rounds-of.ts";
import { armFor, loadedBlock } from "../synthetic-run.ts";

function arm(version: string): Arm {
  return armFor({ study: "s", task: "t", stack: "x", variant: "v", factors: { version } });
}

function block(version: string, round: number, at: number, serverCpuMs: number | null): Block {
  return loadedBlock({ armId: `s/t/x/v/version=${version}`, round, block: at, tasks: 10, serverCpuMs });
}

function tasks(version: string, blocks: readonly (readonly [round: number, turn: number, ms: number])[]): ArmTasks {
  const counts = { calls: 0, failedCalls: 0, failures: new Map(), tasks: 0, failedTasks: 0, unfinishedTasks: 0 };
  const measured = blocks.map(([round, turn, ms]) => ({
    round,
    block: turn,
    turn,
    latenciesMs: Float64Array.of(ms / 2, (3 * ms) / 2),
  }));
  return { armId: `s/t/x/v/version=${version}`, blocks: measured, ...counts };
}

/** Latencies of 10 ms, one block a round, that begin so late. */
function late(version: string, latenessMs: readonly number[]): ArmTasks {
  const { blocks, ...counts } = tasks(
    version,
    latenessMs.map((_, round) => [round, 0, 10]),
  );
  return {
    ...counts,
    blocks: blocks.map((one, round) => ({ ...one, latenessMs: new Float64Array(2).fill(latenessMs[round] ?? 0) })),
  };
}

const arms = [arm("base"), arm("head")];
const rounded = (values: readonly (readonly number[])[]) => values.map((row) => row.map((value) => Math.exp(value)));

function cpuOf(blocks: readonly Block[]): number {
  return gateRoundsOf({ arms, blocks }, { tasks: [] }, ["serverCpuMsPerTask"]).values[0]?.[0] ?? Number.NaN;
}

describe("the rounds of a gate", () => {
  it("are not moved by one disturbed block, nor by one slow call", () => {
    const turns = Array.from({ length: 9 }, (_, turn) => turn);
    const blocks = turns.flatMap((turn) => [
      block("base", 0, 2 * turn, 10),
      block("head", 0, 2 * turn + 1, turn === 4 ? 100 : 11),
    ]);
    const [base, head] = ["base", "head"].map((version) =>
      tasks(
        version,
        turns.map((turn) => [0, turn, 10] as const),
      ),
    );
    const disturbed = (head as ArmTasks).blocks.map((one) => ({
      ...one,
      latenciesMs: Float64Array.of(12, 12, 12, 900),
    }));
    const done = [base as ArmTasks, { ...(head as ArmTasks), blocks: disturbed }];
    const { values } = gateRoundsOf({ arms, blocks }, { tasks: done });
    expect(rounded(values)).toEqual([[expect.closeTo(1.2), expect.closeTo(1.1)]]);
  });

  it("change their sign, and nothing else, when base and head change places", () => {
    const blocks = [8, 9, 10, 14, 30].flatMap((ms, turn) => [
      block("base", 0, 2 * turn, ms),
      block("head", 0, 2 * turn + 1, 10 + turn),
    ]);
    const turned = blocks.map((one) => ({
      ...one,
      armId: one.armId.endsWith("base") ? "s/t/x/v/version=head" : "s/t/x/v/version=base",
    }));
    expect(cpuOf(turned)).toBeCloseTo(-cpuOf(blocks), 12);
    expect(cpuOf(blocks)).not.toBeCloseTo(0);
  });

  it("hold for each cell the pseudo-median over pairs of blocks of ln(head / base)", () => {
    const blocks = [
      block("base", 0, 0, 10),
      block("head", 0, 1, 20),
      // The second of each, whatever other arms ran between.
      block("head", 0, 7, 40),
      block("base", 0, 8, 5),
      block("base", 1, 0, 10),
      block("head", 1, 1, 11),
    ];
    const done = [
      tasks("base", [
        [0, 0, 1],
        [0, 1, 2],
        [1, 0, 4],
      ]),
      tasks("head", [
        [0, 0, 2],
        [0, 1, 1],
        [1, 0, 5],
      ]),
    ];
    const { cells, values } = gateRoundsOf({ arms, blocks }, { tasks: done });
    expect(cells.map(({ id }) => id)).toEqual(["s/t/x/v latencyMs", "s/t/x/v serverCpuMsPerTask"]);
    const [first, second] = rounded(values);
    // Once twice as long, once half as long; twice and eight times the processor.
    expect(first).toEqual([expect.closeTo(1), expect.closeTo(4)]);
    expect(second).toEqual([expect.closeTo(1.25), expect.closeTo(1.1)]);
  });

  it("have a hole where a process was lost, and nothing moves into its place", () => {
    const blocks = [block("base", 0, 0, 10), block("base", 2, 0, 10), block("head", 2, 1, null)];
    const done = [
      tasks("base", [
        [0, 0, 1],
        [2, 0, 1],
      ]),
      tasks("head", [[2, 0, 3]]),
    ];
    const { values } = gateRoundsOf({ arms, blocks }, { tasks: done });
    expect(values).toEqual([
      [Number.NaN, Number.NaN],
      [expect.closeTo(Math.log(3)), Number.NaN],
    ]);
  });

  it("are about the metrics that were asked for", () => {
    const { cells } = gateRoundsOf({ arms, blocks: [] }, { tasks: [] }, ["serverCpuMsPerTask"]);
    expect(cells).toEqual([
      {
        id: "s/t/x/v serverCpuMsPerTask",
        study: "s",
        task: "t",
        stack: "x",
        variant: "v",
        metric: "serverCpuMsPerTask",
      },
    ]);
  });

  it("say nothing of a latency of rounds whose load was not kept: that is the generator's", () => {
    const load = { loop: "open", pacer: "poisson", mostInFlight: 5 } as const;
    const loaded = arms.map((one) => ({ ...one, load }));
    const all = [0, 1, 2].flatMap((round) => [block("base", round, 0, 10), block("head", round, 1, 10)]);
    // Late by less than half of a latency, by more, and busy all the time.
    const blocks = all.map((one) => (one.round === 2 ? { ...one, clientUtilisation: 0.95 } : one));
    const done = [late("base", [4, 4, 4]), late("head", [4, 6, 4])];
    const { values } = gateRoundsOf({ arms: loaded, blocks }, { tasks: done }, ["latencyMs"]);
    expect(values).toEqual([[0], [Number.NaN], [Number.NaN]]);
  });
});
