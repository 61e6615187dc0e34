// What costly attacks take of a server with its usual limits: the time during which it does nothing for others, and memory.
import { PoliteCaller } from "../polite-caller.ts";
import { served, usualLimits } from "../served.ts";
import { costAttacksOn, withstand } from "./hostile.ts";
import { callLibraryNormally } from "./library-costs.ts";
import { callNormally } from "./memory.ts";

/**
 * What is allowed. Others should wait 50 ms at most, on a busy machine 100 ms. Some servers need more for what Node.js cannot divide: a read of 64 KiB in
 * chunks of a byte. Most have 300 MB resident before.
 */
const most = { turnMs: 150, peakGrowthBytes: 300e6, heapGrowthBytes: 10e6 } as const;

/** Connections that have gone are forgotten within seconds; a leak stays. */
const mostLooks = 10;

export interface MeasuredCost {
  /** By the names of attacks, in order: the longest turn of the server's event loop, in milliseconds of processor time. */
  readonly turnsMs: Readonly<Record<string, number>>;
  /** The most resident memory, against that after normal calls. */
  readonly peakGrowthBytes: number;
  /** The used heap after all attacks, against that after normal calls. */
  readonly heapGrowthBytes: number;
}

/** Makes all costly attacks with these words in their names, one after another, on a new server. Rejects like {@link withstand}. */
export async function measureCost(
  stackName: string,
  words: string,
  onAttack: (name: string) => void,
): Promise<MeasuredCost> {
  const target = await served(stackName, usualLimits, true);
  const caller = await PoliteCaller.of(stackName, target.url);
  try {
    await callNormally(target);
    await callLibraryNormally(target);
    const before = await target.memory();
    const turnsMs: Record<string, number> = {};
    for (const attack of await costAttacksOn(stackName, words)) {
      onAttack(attack.name);
      await target.longestTurnMs();
      await withstand([attack], target, caller);
      turnsMs[attack.name] = Math.round(await target.longestTurnMs());
    }
    let after = await target.memory();
    for (let looks = 1; looks < mostLooks && after.heapBytes - before.heapBytes > most.heapGrowthBytes; looks += 1) {
      after = await target.memory();
    }
    return {
      turnsMs,
      peakGrowthBytes: after.peakBytes - before.residentBytes,
      heapGrowthBytes: after.heapBytes - before.heapBytes,
    };
  } finally {
    await caller.close();
    await target.close();
  }
}

export function isTooCostly({ turnsMs, peakGrowthBytes, heapGrowthBytes }: MeasuredCost): boolean {
  const isSlow = Object.values(turnsMs).some((turnMs) => turnMs > most.turnMs);
  return isSlow || peakGrowthBytes > most.peakGrowthBytes || heapGrowthBytes > most.heapGrowthBytes;
}

/** The figures, for people. */
export function costText({ turnsMs, peakGrowthBytes, heapGrowthBytes }: MeasuredCost): string {
  const slowest = Object.entries(turnsMs).toSorted(([, a], [, b]) => b - a);
  const [[name, turnMs] = ["none", 0]] = slowest;
  const slow = slowest.slice(1).filter(([, ms]) => ms > most.turnMs);
  return [
    `${slowest.length} costly attacks withstood`,
    `  others wait ${turnMs} ms at most, allowed ${most.turnMs} ms: ${name}`,
    ...slow.map(([other, ms]) => `    ${ms} ms: ${other}`),
    `  resident memory: ${Math.round(peakGrowthBytes / 1e6)} MB more at its peak, allowed ${most.peakGrowthBytes / 1e6} MB`,
    `  heap: ${(heapGrowthBytes / 1e6).toFixed(1)} MB more afterwards, allowed ${most.heapGrowthBytes / 1e6} MB`,
  ].join("\n");
}
