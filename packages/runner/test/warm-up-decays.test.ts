// How far a simulated process is from its final speed when its warm-up counts as settled, and how often a warm one does not.
import type { WarmUpTrend } from "@roundtrip/runs";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeWarmUpPasses } from "../src/measure/warm-up-passes.ts";
import { warmUpRules } from "../src/measure/warm-up.ts";

interface Start {
  readonly name: string;
  /** A pass over all arms when the process is warm. */
  readonly passMs: number;
  /** Standard deviation of a pass, as a share; one pass in twenty takes half as long again. */
  readonly noise: number;
}

const starts: readonly Start[] = [
  { name: "many arms, quiet", passMs: 20, noise: 0.04 },
  { name: "fast calls", passMs: 12, noise: 0.06 },
  { name: "one arm", passMs: 4, noise: 0.1 },
];

const noisy: Start = { name: "a busy machine", passMs: 20, noise: 0.15 };

const togetherMs = 450;
const rule = warmUpRules(togetherMs).alone;
/** The most that may be left when a warm-up counts as settled. */
const mostExcess = 0.03;
const runs = 200;

let nowMs = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Outcome {
  readonly trend: WarmUpTrend;
  readonly excess: number;
}

/** A process that takes twice as long at first, and nears its final speed with this time constant; null for one that is warm from the start. */
async function warmedUp({ passMs, noise }: Start, tauMs: number | null, random: () => number): Promise<Outcome> {
  // While all pairs call at once, each has half a core.
  let activeMs = togetherMs / 2;
  const excess = (): number => (tauMs === null ? 0 : Math.exp(-activeMs / tauMs));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const run = async (): Promise<void> => {
    await Promise.resolve();
    const lastedMs = passMs * (1 + excess()) * Math.exp(noise * normal()) * (random() < 0.05 ? 1.5 : 1);
    nowMs += lastedMs;
    activeMs += lastedMs;
  };
  const { trend } = await makeWarmUpPasses([{ calls: 67, run }], rule);
  return { trend, excess: excess() };
}

async function outcomes(start: Start, tausMs: readonly (number | null)[]): Promise<readonly Outcome[]> {
  const generator = xoroshiro128plus(1);
  const random = (): number => uniformFloat64(generator);
  const all: Outcome[] = [];
  for (const tauMs of tausMs) {
    for (let at = 0; at < runs; at += 1) all.push(await warmedUp(start, tauMs, random));
  }
  return all;
}

function share(all: readonly Outcome[], isCounted: (outcome: Outcome) => boolean): number {
  return all.filter(isCounted).length / all.length;
}

const slowTausMs = [500, 750, 1_000, 1_500, 2_000, 2_500, 3_000];

describe.each([...starts, noisy])("a process with $name", (start) => {
  it("that gets faster for 0.5 to 3 s counts as settled with more than 3 % to go in at most one start of ten", async () => {
    const wrong = share(
      await outcomes(start, slowTausMs),
      ({ trend, excess }) => trend === "over" && excess > mostExcess,
    );
    expect(wrong).toBeLessThanOrEqual(0.1);
  });
});

describe.each(starts)("a warm process with $name", (start) => {
  it("counts as settled in most starts", async () => {
    const all = await outcomes(start, [null]);
    expect(share(all, ({ trend }) => trend === "over")).toBeGreaterThan(0.85);
  });
});

describe.each(starts)("a process with $name that has a tenth to go", (start) => {
  it("counts as falling in most starts", async () => {
    const cold = (await outcomes(start, [1_000, 1_500, 2_000])).filter(({ excess }) => excess > 0.1);
    expect(cold.length).toBeGreaterThan(100);
    expect(share(cold, ({ trend }) => trend === "falling")).toBeGreaterThan(0.5);
  });
});

it.each([...starts, noisy])(
  "a warm process with $name counts as falling in at most one start of eighteen",
  async (start) => {
    expect(share(await outcomes(start, [null]), ({ trend }) => trend === "falling")).toBeLessThanOrEqual(1 / 18);
  },
);

it("a warm process on a busy machine, whose noise hides a trend, counts as settled in fewer starts", async () => {
  const busy = await outcomes(noisy, [null]);
  const quiet = await outcomes(starts[0] ?? noisy, [null]);
  const [busyShare, quietShare] = [busy, quiet].map((all) => share(all, ({ trend }) => trend === "over"));
  expect(busyShare).toBeLessThan(quietShare ?? 0);
});
