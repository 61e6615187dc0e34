// What starting a round costs, bundled and from sources, with compiled modules kept and without: docs/decisions/0006-process-pair-per-stack.md,
// 0007-compiled-code-is-kept.md and 0161-measured-processes-run-bundles.md. The first call shows whether any makes it warmer than it should be.
import { armsOf, bundledPrograms, childCpuMs, noLinks, Pair, shuffled, sourcePrograms } from "@roundtrip/runner/parts";
import type { Programs } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { meanIntervals, ratioIntervals } from "../mean-intervals.ts";
import { median } from "../median.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { realThing } from "../served.ts";

const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
const ways = ["bundled", "from sources", "from sources, nothing kept"] as const;
type Way = (typeof ways)[number];

interface Start {
  /** Until all pairs are ready. */
  readonly startMs: number;
  /** Of all processes until then. */
  readonly cpuMs: number;
  /** The median over stacks. */
  readonly firstCallMs: number;
}

async function startAll(way: Way, programs: Programs): Promise<Start> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = Map.groupBy(armsOf([hello], stacks), ({ configuration }) => configuration);
  // Inherited by the processes that start now.
  if (way === "from sources, nothing kept") process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  else delete process.env["NODE_DISABLE_COMPILE_CACHE"];
  const startedAt = performance.now();
  const pairs = [...arms].map(
    ([configuration, ofStack]) =>
      new Pair(configuration, ofStack, {
        ...realThing,
        programs,
        tls: false,
        certificate: undefined,
        targets: [],
        links: noLinks,
        answerLimitMs: 30_000,
      }),
  );
  try {
    await Promise.all(pairs.map((pair) => pair.start()));
    const startMs = performance.now() - startedAt;
    const cpus = await Promise.all(pairs.flatMap(({ processes }) => processes).map(childCpuMs));
    const cpuMs = cpus.reduce((sum, each) => sum + each, 0);
    const firstCalls: number[] = [];
    for (const pair of pairs) {
      const { firstCallMs } = await pair.ask<{ readonly firstCallMs: number }>({
        ask: "firstCall",
        armId: pair.arms[0]?.id ?? "",
      });
      firstCalls.push(firstCallMs);
    }
    return { startMs, cpuMs, firstCallMs: median(firstCalls) };
  } finally {
    await Promise.all(pairs.flatMap(({ processes }) => processes).map((child) => child.stop()));
  }
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const seen = new Map<Way, Start[]>(ways.map((way) => [way, []]));
  const bundled = await bundledPrograms({ stacks: stackNames, targets: [], service: realThing.service.module });
  for (const { message } of bundled.warnings) throw new Error(message);
  const start = (way: Way): Promise<Start> => startAll(way, way === "bundled" ? bundled.programs : sourcePrograms);
  onProgress("filling the cache");
  for (const way of ways) await start(way);
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const way of shuffled(ways, seed + round)) seen.get(way)?.push(await start(way));
  }
  const rows = ways.flatMap((way) => [
    { of: `start of a round, ${way}`, values: seen.get(way)?.map(({ startMs }) => startMs) ?? [] },
    { of: `processor time of a start, ${way}`, values: seen.get(way)?.map(({ cpuMs }) => cpuMs) ?? [] },
    { of: `first call, ${way}`, values: seen.get(way)?.map(({ firstCallMs }) => firstCallMs) ?? [] },
  ]);
  const told = meanIntervals(
    rows.map(({ values }) => values),
    seed,
  );
  const bySource = (key: keyof Start): readonly number[] =>
    (seen.get("bundled") ?? []).map((one, round) =>
      Math.log(one[key] / (seen.get("from sources")?.[round]?.[key] ?? Number.NaN)),
    );
  const keys = ["cpuMs", "firstCallMs"] as const;
  const words = { cpuMs: "processor time of a start", firstCallMs: "first call" };
  const ratios = ratioIntervals(keys.map(bySource), seed).map(({ mean, interval }, index) => ({
    of: `${words[keys[index] ?? "cpuMs"]}, bundled over from sources`,
    value: mean,
    interval,
    unit: "×",
    atMost: undefined,
  }));
  const times = rows.map(({ of }, index) => ({
    of,
    value: told[index]?.mean ?? Number.NaN,
    interval: told[index]?.interval ?? null,
    unit: "ms",
    atMost: undefined,
  }));
  return [...ratios, ...times];
}

export const measure: Measure = {
  name: "process-start",
  title: "starting the server and client processes of four stacks, and their first call",
  rounds: 6,
  run,
};
