// Whether small calls on warm connections take as long over a relay as over the kernel's own TCP: docs/decisions/0111-a-relay-for-small-calls.md.
import { chooseLinkKind, linkDefaults } from "@roundtrip/runner";
import { armsOf, openLinks, Pair, shuffled, type Arm } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { median } from "../median.ts";
import { ratioIntervals } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

const kinds = ["kernel", "relay"] as const;
const distances = [10, 50];
const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
const callsPerRound = 20;
/** As in a run, of one pair alone. */
const warmUp = { callsPerWindow: 75, windowMs: 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs: 750 };
const mostApart = 1.05;

interface Block {
  readonly rows: { readonly startedAtMs: Float64Array; readonly endedAtMs: Float64Array };
}

/** Median latency of warm calls by arm. */
async function latencies(kind: string, arms: readonly Arm[]): Promise<ReadonlyMap<string, number>> {
  const settings = distances.map((rttMs) => ({ ...linkDefaults, rttMs }));
  const { signal } = new AbortController();
  await using links = await openLinks(await chooseLinkKind(kind, { settings, needs: [] }), settings, signal);
  const pairs = arms.map(
    (arm) =>
      new Pair(arm.configuration, [arm], {
        contract: { kind: "built-in" },
        service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
        tls: false,
        certificate: undefined,
        targets: [],
        links,
        answerLimitMs: 30_000,
      }),
  );
  try {
    await Promise.all(pairs.map((pair) => pair.start()));
    const seen = new Map<string, number>();
    for (const pair of pairs) {
      const armId = pair.arms[0]?.id ?? "";
      await pair.ask({ ask: "firstCall", armId });
      await pair.ask({ ask: "warmUp", rule: warmUp });
      const { rows } = await pair.ask<Block>({ ask: "block", armId, tasks: callsPerRound });
      seen.set(
        armId,
        median(Array.from(rows.endedAtMs, (endedAtMs, index) => endedAtMs - (rows.startedAtMs[index] ?? 0))),
      );
    }
    return seen;
  } finally {
    await Promise.all(pairs.map((pair) => pair.stop(false)));
  }
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = armsOf([hello], stacks, {
    targets: [],
    settings: {},
    links: { rttMs: distances },
    usualLink: undefined,
    tls: false,
  });
  const ratios = new Map(arms.map(({ id }) => [id, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    const seen = new Map<string, ReadonlyMap<string, number>>();
    for (const kind of shuffled(kinds, seed + round)) seen.set(kind, await latencies(kind, arms));
    for (const [id, values] of ratios) {
      values.push(Math.log((seen.get("relay")?.get(id) ?? Number.NaN) / (seen.get("kernel")?.get(id) ?? Number.NaN)));
    }
  }
  const told = ratioIntervals([...ratios.values()], seed);
  return arms.map(({ title, factors }, index) => ({
    of: `${title}, hello at ${factors["rttMs"]} ms: relay against kernel`,
    value: told[index]?.mean ?? Number.NaN,
    interval: told[index]?.interval ?? null,
    unit: "×",
    atMost: mostApart,
  }));
}

export const measure: Measure = {
  name: "link-agreement",
  title: "warm small calls over a relay, against the same over a link of the kernel",
  rounds: 6,
  run,
};
