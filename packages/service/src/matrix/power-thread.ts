// What each thread of the pool runs: one power at a time, and when it began and ended.
import { hrtime } from "node:process";
import { allocatePowerMemory, powerMemory } from "./power-memory.ts";
import { raiseToPower } from "./raise-to-power.ts";

export interface PowerTask {
  readonly block: SharedArrayBuffer;
  readonly size: number;
  readonly exponent: number;
}

/** Times are of the one clock that all threads of a process have in common. */
export interface PowerDone {
  readonly startedAtNs: bigint;
  readonly endedAtNs: bigint;
  /** Which matrix of the block holds the power: the base, or one of its products; undefined when it was abandoned. */
  readonly power: "base" | 0 | 1 | undefined;
}

/** Computes what a block asks for. */
export function computePower({ block, size, exponent }: PowerTask): PowerDone {
  const startedAtNs = hrtime.bigint();
  const memory = powerMemory(block, size);
  const power = raiseToPower(memory, exponent, () => memory.isAbandoned());
  const endedAtNs = hrtime.bigint();
  if (power === undefined) return { startedAtNs, endedAtNs, power };
  return { startedAtNs, endedAtNs, power: power === memory.base ? "base" : power === memory.products[0] ? 0 : 1 };
}

// Before a thread takes its first request its code is compiled: a new thread computes as fast as the others.
computePower({ block: allocatePowerMemory(50), size: 50, exponent: 30 });
