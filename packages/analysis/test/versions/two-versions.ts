// Runs for tests of comparisons: the same arms with latencies, bytes and processor time as the test says.
import { gatherCalls, type MeasuredRun } from "@roundtrip/analysis";
import type { Arm, Block } from "@roundtrip/runs";
import { armFor, factsOf, loadedBlock, samplesOf, type Call } from "../synthetic-run.ts";

export interface Cost {
  readonly latencyMs: number;
  readonly serverCpuMs: number;
  readonly bytes: number;
  readonly connections: number;
}

export const usualCost: Cost = { latencyMs: 2, serverCpuMs: 0.5, bytes: 300, connections: 0 };

export const hello = (stack: string, factors: Arm["factors"] = {}): Arm =>
  armFor({ study: "gate", task: "hello", stack, title: stack.toUpperCase(), variant: "single", factors });

const tasks = 3;

/** Two blocks of three tasks for every arm and round. */
export function measured(
  arms: readonly Arm[],
  rounds: number,
  costOf: (arm: Arm, round: number, block: number) => Cost,
): Pick<MeasuredRun, "facts" | "calls"> {
  const calls: Call[] = [];
  const blocks: Block[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < 2; turn += 1) {
      for (const [index, arm] of arms.entries()) {
        const cost = costOf(arm, round, turn);
        const block = turn * arms.length + index;
        for (let task = 0; task < tasks; task += 1) {
          calls.push({ arm: index, round, block, task, step: 0, startMs: 0, endMs: cost.latencyMs });
        }
        const spent = { elapsedMs: tasks * cost.latencyMs, serverCpuMs: tasks * cost.serverCpuMs };
        const sent = { wireBytes: tasks * cost.bytes, connectionsOpened: tasks * cost.connections };
        blocks.push(loadedBlock({ armId: arm.id, round, block, tasks, ...spent, ...sent }));
      }
    }
  }
  const facts = factsOf(arms, rounds, blocks);
  return { facts, calls: gatherCalls(facts, samplesOf(calls)) };
}
