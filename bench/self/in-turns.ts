// Several ways to do the same thing, in turns in one process, so that a neighbour's noise hits all of them alike.
import { median } from "./median.ts";

/** Does it this many times. */
export type Way = (times: number) => Promise<void>;

/** What one time costs, in the median over blocks. */
export interface WayCost {
  readonly us: number;
  /** CPU of this process, all threads. */
  readonly cpuUs: number;
}

export interface TurnsOptions {
  readonly timesPerBlock: number;
  readonly warmUpBlocks: number;
  readonly blocks: number;
}

async function costOf(way: Way, times: number): Promise<WayCost> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await way(times);
  const us = ((performance.now() - startedAt) * 1000) / times;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { us, cpuUs: (user + system) / times };
}

/** Costs by the ways' names. */
export async function inTurns(
  ways: Readonly<Record<string, Way>>,
  { timesPerBlock, warmUpBlocks, blocks }: TurnsOptions,
): Promise<Readonly<Record<string, WayCost>>> {
  const seen = new Map<string, WayCost[]>(Object.keys(ways).map((name) => [name, []]));
  for (let block = 0; block < warmUpBlocks + blocks; block += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const cost = await costOf(way, timesPerBlock);
      if (block >= warmUpBlocks) seen.get(name)?.push(cost);
    }
  }
  const costs = [...seen].map(([name, all]): [string, WayCost] => [
    name,
    { us: median(all.map(({ us }) => us)), cpuUs: median(all.map(({ cpuUs }) => cpuUs)) },
  ]);
  return Object.fromEntries(costs);
}
