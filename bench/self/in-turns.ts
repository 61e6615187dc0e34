// Runs alternatives in turn in one process, so that noise from other processes affects all of them alike.
import { median } from "./median.ts";

export type Alternative = (times: number) => Promise<void>;

/** The cost of one execution: the median over blocks. */
export interface AlternativeCost {
  readonly us: number;
  /** CPU time of this process, all threads. */
  readonly cpuUs: number;
}

export interface TurnsOptions {
  readonly timesPerBlock: number;
  readonly warmUpBlocks: number;
  readonly blocks: number;
}

async function costOf(alternative: Alternative, times: number): Promise<AlternativeCost> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await alternative(times);
  const us = ((performance.now() - startedAt) * 1000) / times;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { us, cpuUs: (user + system) / times };
}

export async function inTurns(
  alternatives: Readonly<Record<string, Alternative>>,
  { timesPerBlock, warmUpBlocks, blocks }: TurnsOptions,
): Promise<Readonly<Record<string, AlternativeCost>>> {
  const seen = new Map<string, AlternativeCost[]>(Object.keys(alternatives).map((name) => [name, []]));
  for (let block = 0; block < warmUpBlocks + blocks; block += 1) {
    for (const [name, alternative] of Object.entries(alternatives)) {
      const cost = await costOf(alternative, timesPerBlock);
      if (block >= warmUpBlocks) seen.get(name)?.push(cost);
    }
  }
  const costs = [...seen].map(([name, all]): [string, AlternativeCost] => [
    name,
    { us: median(all.map(({ us }) => us)), cpuUs: median(all.map(({ cpuUs }) => cpuUs)) },
  ]);
  return Object.fromEntries(costs);
}
