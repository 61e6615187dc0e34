// Garbage collections of both processes as a service in the model: rare, far longer than others, and all calls queue for it.
import { sum } from "d3-array";
import type { Summary } from "./summarise.ts";
import type { ServiceDistribution } from "../models/closed-network.ts";
import type { Arm, Block } from "@roundtrip/runs";

/** Collections of one process per call, and their mean duration. */
export interface Garbage {
  readonly perCall: number;
  readonly meanMs: number;
}

export interface ArmGarbage {
  readonly armId: string;
  readonly calls: number;
  readonly client: Garbage;
  readonly server: Garbage;
}

export const noGarbage: Garbage = { perCall: 0, meanMs: 0 };

function garbageIn(blocks: readonly Block[], calls: number, side: "client" | "server"): Garbage {
  const count = sum(blocks, (block) => block[side]?.gcCount ?? 0);
  if (count === 0) return noGarbage;
  return { perCall: count / calls, meanMs: sum(blocks, (block) => block[side]?.gcMs ?? 0) / count };
}

/** Garbage collection of every arm with calls; none for evidence that was not collected, as in older runs. */
export function garbageByArm(blocks: readonly Block[]): readonly ArmGarbage[] {
  return [...Map.groupBy(blocks, ({ armId }) => armId)].flatMap(([armId, own]) => {
    const calls = sum(own, (block) => block.calls);
    if (calls === 0) return [];
    return [{ armId, calls, client: garbageIn(own, calls, "client"), server: garbageIn(own, calls, "server") }];
  });
}

export function garbageTogether(arms: readonly ArmGarbage[], side: "client" | "server"): Garbage {
  const count = sum(arms, (arm) => arm.calls * arm[side].perCall);
  if (count === 0) return noGarbage;
  const ms = sum(arms, (arm) => arm.calls * arm[side].perCall * arm[side].meanMs);
  return { perCall: count / sum(arms, ({ calls }) => calls), meanMs: ms / count };
}

/**
 * The distribution of service times of this mean, which includes collections. The rest of a call is exponential: round trips of a single caller vary by
 * more than their mean, while their work is equal. A collection of length G comes with probability p: E[S²] = 2 b² + 2 b p G + p G² with b = E[S] − p G.
 */
export function serviceWith({ perCall, meanMs }: Garbage, demandMs: number): ServiceDistribution {
  if (perCall === 0 || demandMs === 0) return "exponential";
  const bareMs = Math.max(0, demandMs - perCall * meanMs);
  const square = 2 * bareMs ** 2 + 2 * bareMs * perCall * meanMs + perCall * meanMs ** 2;
  return { scv: Math.max(0, square / demandMs ** 2 - 1) };
}

export interface MeasuredArms {
  readonly arms: readonly Arm[];
  readonly summaries: readonly Summary[];
  readonly garbage: readonly ArmGarbage[];
}
