// Whether small calls on warm connections take as long over a relay as over the kernel's own TCP: docs/decisions/0111-a-relay-for-small-calls.md.
import { chooseLinkKind, linkDefaults } from "@roundtrip/runner";
import { armsOf, openLinks, ProcessPair, shuffled, type PlannedArm } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { study as hello } from "../../studies/hello.ts";
import { median } from "../median.ts";
import { ratioIntervals } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { plaintextPairSettings } from "../served.ts";

const kinds = ["kernel", "relay"] as const;
const distances = [10, 50];
const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
/** Turns in each round, one kind after the other. */
const turns = 8;
const callsPerTurn = 5;
/** As in a run, for a single pair. */
const warmUp = {
  minMs: 450,
  maxMs: 750,
  leastPasses: 2,
  tolerance: 0.05,
  untilSettled: true,
  leavesOutRepeats: false,
  tasksUnderLoad: 0,
};
const mostApart = 1.05;

interface Block {
  readonly rows: { readonly startedAtMs: Float64Array; readonly endedAtMs: Float64Array };
}

type Kind = (typeof kinds)[number];

/** Processes for every arm over links of one kind. They end with the links. */
async function pairsOver(
  kind: Kind,
  arms: readonly PlannedArm[],
  until: AsyncDisposableStack,
): Promise<readonly ProcessPair[]> {
  const settings = distances.map((rttMs) => ({ ...linkDefaults, rttMs }));
  const { signal } = new AbortController();
  const links = until.use(await openLinks(await chooseLinkKind(kind, { settings, needs: [] }), settings, signal));
  const pairs = arms.map((arm) =>
    until.adopt(new ProcessPair(arm.configuration, [arm], { ...plaintextPairSettings, links }), (pair) =>
      pair.stop(false),
    ),
  );
  await Promise.all(pairs.map((pair) => pair.start()));
  return pairs;
}

async function blockOf(pair: ProcessPair, armId: string): Promise<readonly number[]> {
  const { rows } = await pair.ask<Block>({ ask: "block", armId, tasks: callsPerTurn });
  return Array.from(rows.endedAtMs, (endedAtMs, index) => endedAtMs - (rows.startedAtMs[index] ?? 0));
}

/** The ratio of a warm call over a relay to one over the kernel, by arm. Both take turns, so that noise of the machine affects both. */
async function ratiosOfRound(arms: readonly PlannedArm[], seed: number): Promise<ReadonlyMap<string, number>> {
  await using until = new AsyncDisposableStack();
  const pairs = new Map<Kind, readonly ProcessPair[]>();
  for (const kind of shuffled(kinds, seed)) pairs.set(kind, await pairsOver(kind, arms, until));
  const ratios = new Map<string, number>();
  for (const [place, { id }] of arms.entries()) {
    const seen = { kernel: [] as number[], relay: [] as number[] };
    for (const kind of kinds) {
      const pair = pairs.get(kind)?.[place];
      await pair?.ask({ ask: "firstCall", armId: id });
      await pair?.ask({ ask: "warmUp", rule: warmUp });
    }
    for (let turn = 0; turn < turns; turn += 1) {
      for (const kind of shuffled(kinds, seed + turn)) {
        const pair = pairs.get(kind)?.[place];
        if (pair !== undefined) seen[kind].push(...(await blockOf(pair, id)));
      }
    }
    ratios.set(id, median(seen.relay) / median(seen.kernel));
  }
  return ratios;
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
    const seen = await ratiosOfRound(arms, seed + round * turns);
    for (const [id, values] of ratios) values.push(Math.log(seen.get(id) ?? Number.NaN));
  }
  const computed = ratioIntervals([...ratios.values()], seed);
  return arms.map(({ title, factors }, index) => ({
    of: `${title}, hello at ${factors["rttMs"]} ms: relay against kernel`,
    value: computed[index]?.mean ?? Number.NaN,
    interval: computed[index]?.interval ?? null,
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
