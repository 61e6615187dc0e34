// How much load something carries: double what it is asked for until it no longer keeps up, then bisect. What was seen on the way is thrown away.
import type { CapacityProbe } from "@roundtrip/analysis";
import { RunnerError } from "../basics/runner-error.ts";

/** What a task is searched for, and where it is measured after. */
export interface SaturationSearch {
  /**
   * What one call in a hundred may take, counted from when it was to begin. Absent where a rate is wanted and no answer: then it is what callers
   * get who never pause, of processes no warmer than in a round, and known in less than a second.
   */
  readonly limitMs?: number;
  /** Shares of what was found at which the task is measured. */
  readonly shares: readonly number[];
  /** How long arrivals come in each measured block. */
  readonly blockMs: number;
  /** Blocks of each share in a round; absent for one. */
  readonly blocksPerRound?: number;
}

/** Beyond these a search gives up: far below what callers get who never pause, it is the machine's other work that it would find. */
const mostDoublings = 8;
const mostHalvings = 2;
/** A rate is too much when it was not kept so often in a row: one disturbance is no limit. Processes are warm when they are searched. */
const attempts = 2;
/** Each halves what is between the highest rate that was kept and the lowest that was not, on a logarithmic scale: 9 % are left of a doubling. */
const bisections = 3;

/** A limit below is that of the machine's own hiccups; one above is longer than its answers are waited for. */
export const saturationLimits = { leastMs: 1, mostMs: 10_000 } as const;

function fail(message: string): never {
  throw new RunnerError("bad-plan", message);
}

/** Throws a RunnerError `bad-plan` for what cannot be searched. */
export function requireSearch({ limitMs, shares, blockMs, blocksPerRound = 1 }: SaturationSearch): void {
  const { leastMs, mostMs } = saturationLimits;
  if (limitMs !== undefined && !(limitMs >= leastMs && limitMs <= mostMs)) {
    fail(`a limit of ${limitMs} ms cannot be searched: it has to be from ${leastMs} to ${mostMs} ms`);
  }
  if (!(blockMs > 0 && Number.isFinite(blockMs))) fail(`blocks of ${blockMs} ms are none`);
  if (!Number.isInteger(blocksPerRound) || blocksPerRound < 1) fail(`${blocksPerRound} blocks in a round are none`);
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 4)) {
    fail(`shares of ${shares.join(", ")} are none: each has to be above 0 and at most 4`);
  }
}

/** What was found: the highest rate that was kept, or the lowest that was tried when none was. */
export interface Found {
  readonly foundHz: number;
  /** Why more was not kept: calls took too long, the generator had no time left, or nobody asked for more. */
  readonly limitedBy: CapacityProbe["verdict"];
  readonly probes: readonly CapacityProbe[];
}

/**
 * Double, then bisect: at most 8 doublings, 2 halvings and 3 bisections, each of two probes at most.
 */
export async function searchCapacity(
  fromHz: number,
  probe: (rateHz: number) => Promise<CapacityProbe>,
): Promise<Found> {
  const probes: CapacityProbe[] = [];
  let limitedBy: Found["limitedBy"] = "kept";
  const keeps = async (rateHz: number): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const seen = await probe(rateHz);
      probes.push(seen);
      if (seen.verdict === "kept") return true;
      limitedBy = seen.verdict;
    }
    return false;
  };
  let [kept, exceeded] = [0, Number.POSITIVE_INFINITY];
  let rateHz = fromHz;
  for (let step = 0; step <= mostDoublings && exceeded === Number.POSITIVE_INFINITY; step += 1, rateHz *= 2) {
    if (await keeps(rateHz)) kept = rateHz;
    else exceeded = rateHz;
  }
  for (let step = 0; step < mostHalvings && kept === 0; step += 1) {
    if (await keeps(exceeded / 2)) kept = exceeded / 2;
    else exceeded /= 2;
  }
  for (let step = 0; step < bisections && kept > 0 && exceeded < Number.POSITIVE_INFINITY; step += 1) {
    const between = Math.sqrt(kept * exceeded);
    if (await keeps(between)) kept = between;
    else exceeded = between;
  }
  return { foundHz: kept > 0 ? kept : exceeded, limitedBy, probes };
}
