// What one server costs over another: server CPU per call, on each stack. In every round both start anew, stay alive side by side, are called
// by one and the same client, and take turns in random order.
import { loadStack } from "@roundtrip/stacks";
import { pin, type Placement, placements, seedOf, shuffled } from "@roundtrip/runner/parts";
import type { Plan } from "@roundtrip/runner";
import { ratioIntervals } from "./mean-intervals.ts";
import { median } from "./median.ts";
import type { Figure, MeasureOptions } from "./measure.ts";
import { Rivals, type RivalServer } from "./rivals.ts";

/** Who is held against whom. */
export interface Contest {
  readonly stacks: readonly string[];
  /** By name. */
  readonly plans: Readonly<Record<string, Plan>>;
  readonly server: RivalServer;
  readonly baseline: RivalServer;
  /** Whether they are to answer the same; nothing is measured when they do not. */
  readonly areAlike: boolean;
  /** Of the ratio. */
  readonly atMost: number;
}

const sides = ["server", "baseline"] as const;
type Side = (typeof sides)[number];

/** Pairs of blocks for each cell in a round. */
const pairs = 12;
/** A block is at least this much server CPU, against clock ticks and the kernel's own rounding. */
const blockCpuMs = 60;
const warmUpCalls = 4_000;
const chunkCalls = 500;
const capacity = 20_000;

/** Both sides get equally warm, in turns; gives the calls of a block by plan. */
async function warmUp(rivals: Rivals<Side>, plans: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>();
  for (let done = 0; done < warmUpCalls; done += chunkCalls) {
    for (const name of plans) {
      let cpuMs = 0;
      for (const side of sides) cpuMs = Math.max(cpuMs, await rivals.block(side, name, chunkCalls));
      calls.set(name, Math.min(capacity, Math.ceil(blockCpuMs / cpuMs)));
    }
  }
  return calls;
}

/** CPU per call of every block, by plan and side. */
type RoundCosts = ReadonlyMap<string, Readonly<Record<Side, number[]>>>;

async function measureStack(
  { plans, server, baseline, areAlike }: Contest,
  stack: string,
  seed: number,
  placement: Placement,
): Promise<RoundCosts> {
  const names = Object.keys(plans);
  const rivals = await Rivals.start({ stack, plans, servers: { server, baseline }, core: placement.server, capacity });
  try {
    if (areAlike) for (const name of names) await rivals.verify(name, chunkCalls);
    const calls = await warmUp(rivals, names);
    const costs = new Map<string, Record<Side, number[]>>(names.map((name) => [name, { server: [], baseline: [] }]));
    const turns = names.flatMap((name) => Array.from({ length: pairs }, () => name));
    for (const [turn, name] of shuffled(turns, seed).entries()) {
      for (const side of shuffled(sides, seedOf(seed, turn))) {
        const costMs = await rivals.block(side, name, calls.get(name) ?? chunkCalls);
        costs.get(name)?.[side].push(costMs);
      }
    }
    return costs;
  } finally {
    await rivals.stop();
  }
}

/** One round's ln(server / baseline): the median over pairs of blocks, so that a neighbour's burst in one of them does not matter. */
function logRatioOf({ server, baseline }: Readonly<Record<Side, readonly number[]>>): number {
  return median(server.map((costMs, pair) => Math.log(costMs / (baseline[pair] ?? Number.NaN))));
}

/** Server CPU per call of the one over the other, for each stack and plan. */
export async function rivalRatios(
  contest: Contest,
  { rounds, seed, onProgress }: MeasureOptions,
): Promise<readonly Figure[]> {
  const { stacks, plans, atMost } = contest;
  const cells = stacks.flatMap((stack) => Object.keys(plans).map((plan) => ({ stack, plan })));
  const logRatios = new Map(cells.map((cell): [typeof cell, number[]] => [cell, []]));
  const placement = placements();
  for (let round = 0; round < rounds; round += 1) {
    const place = placement.ofRound(round);
    // This process is the client: it gets the core that servers do not have.
    pin(process.pid, place.client);
    for (const [turn, stack] of shuffled(stacks, seedOf(seed, round)).entries()) {
      onProgress(`round ${round + 1} of ${rounds}, ${stack}`);
      const ofStack = await measureStack(contest, stack, seedOf(seed, round, turn), place);
      for (const cell of cells.filter((one) => one.stack === stack)) {
        const costs = ofStack.get(cell.plan);
        if (costs !== undefined) logRatios.get(cell)?.push(logRatioOf(costs));
      }
    }
  }
  const titles = new Map<string, string>();
  for (const stack of stacks) titles.set(stack, (await loadStack(stack)).title);
  const ratios = ratioIntervals(
    cells.map((cell) => logRatios.get(cell) ?? []),
    seed,
  );
  return cells.map(({ stack, plan }, index) => ({
    of: `${titles.get(stack)}, ${plan}`,
    value: ratios[index]?.mean ?? Number.NaN,
    interval: ratios[index]?.interval ?? null,
    unit: "×",
    atMost,
  }));
}
