// Rounds for tests of the gate: cells by number, and log ratios made from a seed.
import type { GateCell, GateRounds } from "../../src/gate/gate-judgement.ts";
import { randomFrom, type Random } from "../../src/statistics/random.ts";

function madeCells(count: number): readonly GateCell[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `hello/call/facade/stack-${index}/serverCpuMsPerTask`,
    stack: `stack-${index}`,
    study: "hello",
    task: "call",
    variant: "facade",
    metric: "serverCpuMsPerTask",
  }));
}

export function roundsOf(values: readonly (readonly number[])[]): GateRounds {
  return { cells: madeCells(values[0]?.length ?? 1), values };
}

/** Standard normal, by Box and Muller. */
function normalFrom(random: Random): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export interface MadeJob {
  readonly seed: number;
  readonly rounds: number;
  /** For each cell how much slower head is (0.05 is 5 %). */
  readonly effects: readonly number[];
  /** Standard deviation of a round's log ratio. */
  readonly deviation: number;
}

export function madeRounds({ seed, rounds, effects, deviation }: MadeJob): GateRounds {
  const normal = normalFrom(randomFrom(seed, "made rounds"));
  return roundsOf(
    Array.from({ length: rounds }, () => effects.map((effect) => Math.log1p(effect) + deviation * normal())),
  );
}
