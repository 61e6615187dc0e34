// The cost of starting a round, with and without a compile cache: docs/decisions/0006-process-pair-per-stack.md and
// 0007-what-a-measured-process-loads.md. The first call shows whether the cache makes it warmer than it should be.
import { armsOf, ProcessPair, shuffled } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { meanFigures } from "../mean-intervals.ts";
import { median } from "../median.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { plaintextPairSettings } from "../served.ts";

const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
const caches = ["kept", "not kept"] as const;
type Cache = (typeof caches)[number];

interface Start {
  /** Until all pairs are ready. */
  readonly startMs: number;
  /** The median over stacks. */
  readonly firstCallMs: number;
}

async function startAll(cache: Cache): Promise<Start> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = Map.groupBy(armsOf([hello], stacks), ({ configuration }) => configuration);
  // Inherited by the processes that start now.
  if (cache === "not kept") process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  else delete process.env["NODE_DISABLE_COMPILE_CACHE"];
  const startedAt = performance.now();
  const pairs = [...arms].map(
    ([configuration, ofStack]) => new ProcessPair(configuration, ofStack, plaintextPairSettings),
  );
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
  const seen = new Map<Cache, Start[]>(caches.map((cache) => [cache, []]));
  onProgress("filling the cache");
  await startAll("kept");
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const cache of shuffled(caches, seed + round)) seen.get(cache)?.push(await startAll(cache));
  }
  const rows = caches.flatMap((cache) => [
    { of: `start of a round, compiled modules ${cache}`, values: seen.get(cache)?.map(({ startMs }) => startMs) ?? [] },
    {
      of: `first call, compiled modules ${cache}`,
      values: seen.get(cache)?.map(({ firstCallMs }) => firstCallMs) ?? [],
    },
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
