// The cost of watching a server process: docs/decisions/0141-evidence-and-flagged-cells.md. Its event loop is sampled and its garbage collection
// counted in every other block of the same arm, with the same processes.
import { armsOf, ProcessPair, placements, seedOf, shuffled, type Placement } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { ratioIntervals } from "../mean-intervals.ts";
import { median } from "../median.ts";
import { plaintextPairSettings } from "../served.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

/** Other changes to a server are found from one per cent. */
const atMost = 1.01;

const stackNames = ["grpc-js", "rest-express"];
/** Pairs of blocks, one watched and one not, of each stack in a round; earlier blocks warm up its code. */
const pairsOfBlocks = 12;
const warmUpBlocks = 6;
const callsPerBlock = 400;

const modes = ["watched", "in peace"] as const;
type Mode = (typeof modes)[number];

async function blockCpuMs(pair: ProcessPair, armId: string, mode: Mode): Promise<number> {
  if (mode === "watched") await pair.watch();
  const before = await pair.serverCpuMs();
  await pair.ask({ ask: "block", armId, tasks: callsPerBlock });
  const after = await pair.serverCpuMs();
  if (mode === "watched") await pair.watched();
  return (after ?? Number.NaN) - (before ?? Number.NaN);
}

/** ln(watched / in peace) of one round: the median over pairs of blocks. */
async function logRatio(stackName: string, placement: Placement, seed: number): Promise<number> {
  const arms = armsOf([hello], [await loadStack(stackName)]).map((arm) => ({ ...arm, tasksPerBlock: callsPerBlock }));
  const [arm] = arms;
  if (arm === undefined) throw new Error(`${stackName} has no hello`);
  const pair = new ProcessPair(arm.configuration, arms, plaintextPairSettings);
  try {
    await pair.start();
    pair.place(placement);
    for (let block = 0; block < warmUpBlocks; block += 1) {
      await blockCpuMs(pair, arm.id, modes[block % modes.length] ?? "watched");
    }
    const ratios: number[] = [];
    for (let position = 0; position < pairsOfBlocks; position += 1) {
      const cpuMs = new Map<Mode, number>();
      for (const mode of shuffled(modes, seedOf(seed, position))) cpuMs.set(mode, await blockCpuMs(pair, arm.id, mode));
      ratios.push(Math.log((cpuMs.get("watched") ?? Number.NaN) / (cpuMs.get("in peace") ?? Number.NaN)));
    }
    return median(ratios);
  } finally {
    await pair.stop(true);
  }
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const placement = placements();
  const family = new Map<string, number[]>(stackNames.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [position, name] of shuffled(stackNames, seedOf(seed, round)).entries()) {
      onProgress(`round ${round + 1} of ${rounds}, ${name}`);
      family.get(name)?.push(await logRatio(name, placement.ofRound(round), seedOf(seed, round, position)));
    }
  }
  const ratios = ratioIntervals([...family.values()], seed);
  const titles = await Promise.all(stackNames.map(async (name) => (await loadStack(name)).title));
  return titles.map((title, index) => ({
    of: `${title}, hello`,
    value: ratios[index]?.mean ?? Number.NaN,
    interval: ratios[index]?.interval ?? null,
    unit: "×",
    atMost,
  }));
}

export const measure: Measure = {
  name: "watching",
  title: "server CPU per call, while its process is watched over in peace",
  rounds: 8,
  run,
};
