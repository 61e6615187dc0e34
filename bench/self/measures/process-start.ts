// What starting a round costs, with compiled modules kept and without: docs/decisions/0006-process-pair-per-stack.md
// and 0007-what-a-measured-process-loads.md. The first call shows whether kept code makes it warmer than it should be.
import { armsOf, ProcessPair, shuffled } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { meanFigures } from "../mean-intervals.ts";
import { median } from "../median.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { plainly } from "../served.ts";

const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
const ways = ["kept", "not kept"] as const;
type Way = (typeof ways)[number];

interface Start {
  /** Until all pairs are ready. */
  readonly startMs: number;
  /** The median over stacks. */
  readonly firstCallMs: number;
}

async function startAll(way: Way): Promise<Start> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = Map.groupBy(armsOf([hello], stacks), ({ configuration }) => configuration);
  // Inherited by the processes that start now.
  if (way === "not kept") process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  else delete process.env["NODE_DISABLE_COMPILE_CACHE"];
  const startedAt = performance.now();
  const pairs = [...arms].map(([configuration, ofStack]) => new ProcessPair(configuration, ofStack, plainly));
  try {
    await Promise.all(pairs.map((pair) => pair.start()));
    const startMs = performance.now() - startedAt;
    const firstCalls: number[] = [];
    for (const pair of pairs) {
      const { firstCallMs } = await pair.ask<{ readonly firstCallMs: number }>({
        ask: "firstCall",
        armId: pair.arms[0]?.id ?? "",
      });
      firstCalls.push(firstCallMs);
    }
    return { startMs, firstCallMs: median(firstCalls) };
  } finally {
    await Promise.all(pairs.flatMap(({ processes }) => processes).map((child) => child.stop()));
  }
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const seen = new Map<Way, Start[]>(ways.map((way) => [way, []]));
  onProgress("filling the cache");
  await startAll("kept");
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const way of shuffled(ways, seed + round)) seen.get(way)?.push(await startAll(way));
  }
  const rows = ways.flatMap((way) => [
    { of: `start of a round, compiled modules ${way}`, values: seen.get(way)?.map(({ startMs }) => startMs) ?? [] },
    { of: `first call, compiled modules ${way}`, values: seen.get(way)?.map(({ firstCallMs }) => firstCallMs) ?? [] },
  ]);
  const inMs = { unit: "ms", atMost: undefined } as const;
  return meanFigures(
    rows.map((row) => ({ ...row, ...inMs })),
    seed,
  );
}

export const measure: Measure = {
  name: "process-start",
  title: "starting the server and client processes of four stacks, and their first call",
  rounds: 6,
  run,
};
