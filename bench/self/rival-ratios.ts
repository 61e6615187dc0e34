// The cost of one server over another: server CPU per call, on each stack. In every round both start anew, run side by side, share one client, and
// take turns in random order.
import { loadStack } from "@roundtrip/stacks";
import { pin, type Placement, placements, seedOf, shuffled } from "@roundtrip/runner/parts";
import type { Plan } from "@roundtrip/runner";
import { ratioIntervals } from "./mean-intervals.ts";
import { median } from "./median.ts";
import type { Figure, MeasureOptions } from "./measure.ts";
import { Rivals, type RivalServer } from "./rivals.ts";

/** The two servers to compare. */
export interface Contest {
  readonly stacks: readonly string[];
  readonly plans: Readonly<Record<string, Plan>>;
  readonly server: RivalServer;
  readonly baseline: RivalServer;
  /** Whether both must give the same answers; if these differ, nothing is measured. */
  readonly areAlike: boolean;
  /** The target of a stack's ratio. */
  readonly atMost: (stack: string) => number;
}

const sides = ["server", "baseline"] as const;
type Side = (typeof sides)[number];

/** Pairs of blocks per cell and round. */
const pairs = 12;
/** The minimum server CPU of a block, to make clock ticks and rounding of the kernel negligible. */
const blockCpuMs = 60;
const warmUpCalls = 4_000;
const chunkCalls = 500;
const capacity = 20_000;

/** Warms up both sides in turn, and returns the calls of a block by plan. */
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

/** ln(server / baseline) of one round: the median over pairs of blocks, so that noise in one of them does not matter. */
function logRatioOf({ server, baseline }: Readonly<Record<Side, readonly number[]>>): number {
  return median(server.map((costMs, pair) => Math.log(costMs / (baseline[pair] ?? Number.NaN))));
}

/** Server CPU per call of `server` over `baseline`, for each stack and plan. */
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
    // This process is the client: it gets the core that the servers do not use.
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
    atMost: atMost(stack),
  }));
}
