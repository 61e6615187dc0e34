// What costly attacks take of a server with its usual limits: the time during which it does nothing for others, and memory.
import { PoliteCaller } from "../polite-caller.ts";
import { served, usualLimits } from "../served.ts";
import { costAttacksOn, withstand } from "./hostile.ts";
import { callLibraryNormally } from "./library-costs.ts";
import { callNormally } from "./memory.ts";

/**
 * What is allowed. Others should wait 50 ms at most, on a busy machine 100 ms. Some servers need more for what Node.js cannot divide: a read of 64 KiB in
 * chunks of a byte.
 */
const most = { turnMs: 150, peakBytes: 400e6, heapGrowthBytes: 10e6 } as const;

/**
 * V8 collects garbage only when it is several times what is alive, by a factor that grows with the memory of the machine: it alone takes 300 MB. The C
 * library keeps up to 140 MB of what was freed. Limited, resident memory shows what the server holds. A server that holds more ends for lack of memory.
 */
const maxHeapMiB = 192;

/** Connections that have gone are forgotten within seconds; a leak stays. */
const mostLooks = 10;

export interface MeasuredCost {
  /** By the names of attacks, in order: the longest turn of the server's event loop, in milliseconds of processor time. */
  readonly turnsMs: Readonly<Record<string, number>>;
  /** The most resident memory. */
  readonly peakBytes: number;
  /** The name of the attack that took it; undefined if none took more than normal calls. */
  readonly peakAttack: string | undefined;
  /** The used heap after all attacks, against that after normal calls. */
  readonly heapGrowthBytes: number;
}

/** Makes all costly attacks with these words in their names, one after another, on a new server. Rejects like {@link withstand}. */
export async function measureCost(
  stackName: string,
  words: string,
  onAttack: (name: string) => void,
): Promise<MeasuredCost> {
  const target = await served(stackName, { limits: usualLimits, hasLibrary: true, maxHeapMiB });
  const caller = await PoliteCaller.of(stackName, target.url);
  try {
    await callNormally(target);
    await callLibraryNormally(target);
    const before = await target.memory();
    const turnsMs: Record<string, number> = {};
    let { peakBytes } = before;
    let peakAttack: string | undefined;
    for (const attack of await costAttacksOn(stackName, words)) {
      onAttack(attack.name);
      await target.strain();
      await withstand([attack], target, caller);
      const strain = await target.strain();
      turnsMs[attack.name] = Math.round(strain.longestTurnMs);
      if (strain.peakBytes > peakBytes) peakAttack = attack.name;
      ({ peakBytes } = strain);
    }
    let after = await target.memory();
    for (let looks = 1; looks < mostLooks && after.heapBytes - before.heapBytes > most.heapGrowthBytes; looks += 1) {
      after = await target.memory();
    }
    return {
      turnsMs,
      peakBytes,
      peakAttack,
      heapGrowthBytes: after.heapBytes - before.heapBytes,
    };
  } finally {
    await caller.close();
    await target.close();
  }
}

export function isTooCostly({ turnsMs, peakBytes, heapGrowthBytes }: MeasuredCost): boolean {
  const isSlow = Object.values(turnsMs).some((turnMs) => turnMs > most.turnMs);
  return isSlow || peakBytes > most.peakBytes || heapGrowthBytes > most.heapGrowthBytes;
}

/** The figures, for people. */
export function costText({ turnsMs, peakBytes, peakAttack, heapGrowthBytes }: MeasuredCost): string {
  const slowest = Object.entries(turnsMs).toSorted(([, a], [, b]) => b - a);
  const [[name, turnMs] = ["none", 0]] = slowest;
  const slow = slowest.slice(1).filter(([, ms]) => ms > most.turnMs);
  return [
    `${slowest.length} costly attacks withstood`,
    `  others wait ${turnMs} ms at most, allowed ${most.turnMs} ms: ${name}`,
    ...slow.map(([other, ms]) => `    ${ms} ms: ${other}`),
    `  resident memory: ${Math.round(peakBytes / 1e6)} MB at its peak, allowed ${most.peakBytes / 1e6} MB: ${peakAttack ?? "normal calls"}`,
    `  heap: ${(heapGrowthBytes / 1e6).toFixed(1)} MB more afterwards, allowed ${most.heapGrowthBytes / 1e6} MB`,
  ].join("\n");
}
