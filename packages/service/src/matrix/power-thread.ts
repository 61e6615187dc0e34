// The code of the pool's threads. It computes one power at a time and reports its start and end.
import { hrtime } from "node:process";
import { allocatePowerMemory, powerMemory, raiseToPower } from "./raise-to-power.ts";

export interface PowerTask {
  readonly block: SharedArrayBuffer;
  readonly size: number;
  readonly exponent: number;
}

/** Times are on the clock that all threads of a process share. */
export interface PowerDone {
  readonly startedAtNs: bigint;
  readonly endedAtNs: bigint;
  /** The matrix of the block with the power: the base or one of its products; undefined if the computation was cancelled. */
  readonly power: "base" | 0 | 1 | undefined;
}

export function computePower({ block, size, exponent }: PowerTask): PowerDone {
  const startedAtNs = hrtime.bigint();
  const memory = powerMemory(block, size);
  const power = raiseToPower(memory, exponent, () => memory.isAbandoned());
  const endedAtNs = hrtime.bigint();
  if (power === undefined) return { startedAtNs, endedAtNs, power };
  return { startedAtNs, endedAtNs, power: power === memory.base ? "base" : power === memory.products[0] ? 0 : 1 };
}

// Compiles the code before the first request, so that a new thread is as fast as the others.
computePower({ block: allocatePowerMemory(50), size: 50, exponent: 30 });
