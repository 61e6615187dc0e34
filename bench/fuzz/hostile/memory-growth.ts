// The memory of a server before all attacks, and after each repetition of them.
import { wellBehavedCaller } from "../well-behaved-caller.ts";
import { served, type Memory, type Served } from "../served.ts";
import { attacksOn, withstand } from "./hostile.ts";

export interface MemoryGrowth {
  readonly attacks: number;
  /** After normal calls only. */
  readonly before: Memory;
  /** After all attacks, for each repetition. */
  readonly after: readonly Memory[];
}

export interface MemoryGrowthOptions {
  /** Selects attacks by words in their names. */
  readonly words: string;
  /** Asked before each repetition of all attacks whether to make it. */
  readonly again: (soFar: MemoryGrowth) => boolean;
  readonly onAttack: (name: string) => void;
}

/** Enough to load and compile everything that calls need. */
const normalCalls = 1_600;
const callers = 8;

async function callNormally({ stackName, url }: Served): Promise<void> {
  const caller = await wellBehavedCaller(stackName, url);
  try {
    const calling = Array.from({ length: callers }, async () => {
      for (let call = 0; call < normalCalls / callers; call += 1) await caller.call();
    });
    await Promise.all(calling);
  } finally {
    await caller.close();
  }
}

/** Makes all attacks on a new server, several times. Rejects like {@link withstand}. */
export async function measureMemoryGrowth(
  stackName: string,
  { words, again, onAttack }: MemoryGrowthOptions,
): Promise<MemoryGrowth> {
  const target = await served(stackName);
  try {
    const groups = await attacksOn(stackName, words);
    await callNormally(target);
    const before = await target.memory();
    const after: Memory[] = [];
    const attacks = groups.flat().length;
    while (again({ attacks, before, after })) {
      for (const together of groups) {
        onAttack(together.map(({ name }) => name).join("; "));
        await withstand(together, target);
      }
      after.push(await target.memory());
    }
    return { attacks, before, after };
  } finally {
    await target.close();
  }
}
