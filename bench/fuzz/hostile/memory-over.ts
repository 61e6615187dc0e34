// What memory a server holds before anybody means harm, and after each time that everybody did.
import { politeCaller } from "../polite-caller.ts";
import { served, type Memory, type Served } from "../served.ts";
import { attacksOn, withstand } from "./hostile.ts";

export interface MemoryOver {
  readonly attacks: number;
  /** After normal calls alone. */
  readonly before: Memory;
  /** After all attacks were made, time by time. */
  readonly after: readonly Memory[];
}

export interface MemoryOverOptions {
  /** Attacks that have these in their names. */
  readonly words: string;
  /** How often all attacks are made. */
  readonly times: number;
  readonly onAttack: (name: string) => void;
}

/** Enough for everything that calls need to be loaded, compiled and laid out. */
const normalCalls = 1_600;
const callers = 8;

async function callNormally({ stackName, url }: Served): Promise<void> {
  const polite = await politeCaller(stackName, url);
  try {
    const calling = Array.from({ length: callers }, async () => {
      for (let call = 0; call < normalCalls / callers; call += 1) await polite.call();
    });
    await Promise.all(calling);
  } finally {
    await polite.close();
  }
}

/** Makes all attacks on a new server, several times. Rejects like {@link withstand}. */
export async function memoryOver(
  stackName: string,
  { words, times, onAttack }: MemoryOverOptions,
): Promise<MemoryOver> {
  const target = await served(stackName);
  try {
    const groups = await attacksOn(stackName, words);
    await callNormally(target);
    const before = await target.memory();
    const after: Memory[] = [];
    for (let time = 0; time < times; time += 1) {
      for (const together of groups) {
        onAttack(together.map(({ name }) => name).join("; "));
        await withstand(together, target);
      }
      after.push(await target.memory());
    }
    return { attacks: groups.flat().length, before, after };
  } finally {
    await target.close();
  }
}
