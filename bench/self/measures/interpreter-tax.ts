// What it costs to interpret a contract: server CPU per call, our server over one written by hand for the same contract. In every
// round both start anew, stay alive side by side, are called by one and the same client, and take turns in random order.
import { loadStack } from "@roundtrip/stacks";
import { pin, type Placement, placements, seedOf, shuffled } from "@roundtrip/runner/parts";
import type { Plan } from "@roundtrip/runner";
import { handWrittenStacks } from "../hand-written/hand-written.ts";
import { ratioIntervals } from "../mean-intervals.ts";
import { median } from "../median.ts";
import type { Measure, MeasureOptions } from "../measure.ts";
import { Rivals, sides, type Side } from "../rivals.ts";

const atMost = 1.05;

const attributes = ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"];

function plan(operation: string, request: Plan["steps"][number]["request"]): Plan {
  return { order: "sequential", driver: "own", steps: [{ operation, request }] };
}

const plans: Readonly<Record<string, Plan>> = {
  hello: plan("roundtrip.v1.HelloService.SayHello", { name: "World" }),
  "customer with six attributes": plan("roundtrip.v1.CustomerService.GetCustomer", {
    id: 1,
    readMask: attributes.join(","),
  }),
};

/** Pairs of blocks for each cell in a round. */
const pairs = 12;
/** A block is at least this much server CPU, against clock ticks and the kernel's own rounding. */
const blockCpuMs = 60;
const warmUpCalls = 4_000;
const chunkCalls = 500;
const capacity = 20_000;

interface Cell {
  readonly stack: string;
  readonly plan: string;
}

const cells: readonly Cell[] = handWrittenStacks.flatMap((stack) =>
  Object.keys(plans).map((name) => ({ stack, plan: name })),
);

/** Both sides get equally warm, in turns; gives the calls of a block by plan. */
async function warmUp(rivals: Rivals): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>();
  for (let done = 0; done < warmUpCalls; done += chunkCalls) {
    for (const name of Object.keys(plans)) {
      let cpuMs = 0;
      for (const side of sides) cpuMs = Math.max(cpuMs, await rivals.block(side, name, chunkCalls));
      calls.set(name, Math.min(capacity, Math.ceil(blockCpuMs / cpuMs)));
    }
  }
  return calls;
}

/** CPU per call of every block, by plan and side. */
type RoundCosts = ReadonlyMap<string, Readonly<Record<Side, number[]>>>;

async function measureStack(stack: string, seed: number, placement: Placement): Promise<RoundCosts> {
  const rivals = await Rivals.start({ stack, plans, core: placement.server, capacity });
  try {
    for (const name of Object.keys(plans)) await rivals.verify(name, chunkCalls);
    const calls = await warmUp(rivals);
    const costs = new Map<string, Record<Side, number[]>>(
      Object.keys(plans).map((name) => [name, { ours: [], byHand: [] }]),
    );
    const turns = Object.keys(plans).flatMap((name) => Array.from({ length: pairs }, () => name));
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

/** One round's ln(ours / by hand): the median over pairs of blocks, so that a neighbour's burst in one of them does not matter. */
function logRatioOf(ours: readonly number[], byHand: readonly number[]): number {
  return median(ours.map((costMs, pair) => Math.log(costMs / (byHand[pair] ?? Number.NaN))));
}

async function run({ rounds, seed, onProgress }: MeasureOptions) {
  const placement = placements();
  const logRatios = new Map<Cell, number[]>(cells.map((cell) => [cell, []]));
  for (let round = 0; round < rounds; round += 1) {
    const place = placement.ofRound(round);
    // This process is the client: it gets the core that servers do not have.
    pin(process.pid, place.client);
    for (const [turn, stack] of shuffled(handWrittenStacks, seedOf(seed, round)).entries()) {
      onProgress(`round ${round + 1} of ${rounds}, ${stack}`);
      const ofStack = await measureStack(stack, seedOf(seed, round, turn), place);
      for (const cell of cells.filter((one) => one.stack === stack)) {
        const costs = ofStack.get(cell.plan);
        if (costs !== undefined) logRatios.get(cell)?.push(logRatioOf(costs.ours, costs.byHand));
      }
    }
  }
  const titles = new Map<string, string>();
  for (const stack of handWrittenStacks) titles.set(stack, (await loadStack(stack)).title);
  const ratios = ratioIntervals(
    cells.map((cell) => logRatios.get(cell) ?? []),
    seed,
  );
  return cells.map(({ stack, plan: name }, index) => ({
    of: `${titles.get(stack)}, ${name}`,
    value: ratios[index]?.mean ?? Number.NaN,
    interval: ratios[index]?.interval ?? null,
    unit: "×",
    atMost,
  }));
}

export const measure: Measure = {
  name: "interpreter-tax",
  title: "server CPU per call, interpreting the contract over written by hand",
  rounds: 10,
  run,
};
