// Every attack on one stack's server, with somebody calling politely all the while.
import { politeCaller } from "../polite-caller.ts";
import { served, type Served } from "../served.ts";
import type { Attack } from "./attack.ts";
import { grpcAttacks } from "./grpc-attacks.ts";
import { httpAttacks } from "./http-attacks.ts";

export const attacks: readonly Attack[] = [...httpAttacks, ...grpcAttacks];

/** The stacks that are attacked. */
export const attackedStacks: readonly string[] = [
  ...new Set(attacks.flatMap(({ stackNames }) => stackNames)),
].toSorted();

/** Runs one attack. Rejects with what was wrong: with the server's answer, with polite calls meanwhile and after, or with its life. */
export async function withstand(attack: Attack, target: Served): Promise<{ readonly politeCalls: number }> {
  const polite = await politeCaller(target.stackName, target.url);
  try {
    const stop = polite.keepCalling();
    await attack.run(target);
    const politeCalls = await stop();
    const end = target.end();
    if (end !== undefined) throw new Error(end);
    return { politeCalls };
  } finally {
    await polite.close();
  }
}

/** Bytes in use after garbage was collected, and how many attacks were between. */
export interface Memory {
  readonly attacks: number;
  readonly before: number;
  readonly after: number;
}

/**
 * All attacks whose names hold some words on a new server, twice: the first time it loads and compiles what it needs, the second leaves
 * what it leaves.
 */
export async function memoryOver(stackName: string, words: string, onAttack: (name: string) => void): Promise<Memory> {
  const target = await served(stackName);
  try {
    const all = attacks.filter(({ stackNames, name }) => stackNames.includes(stackName) && name.includes(words));
    const attackAll = async (): Promise<number> => {
      for (const attack of all) {
        onAttack(attack.name);
        await withstand(attack, target);
      }
      return (await target.memory()).heapBytes;
    };
    const before = await attackAll();
    return { attacks: all.length, before, after: await attackAll() };
  } finally {
    await target.close();
  }
}
