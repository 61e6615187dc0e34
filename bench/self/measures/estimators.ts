// Whether means, ratios and their intervals are right, by simulation: coverage in twelve noise scenarios, and bias by interruptions (docs/method.md).
import { coverageOf, dependent, scenarios } from "../estimator-coverage.ts";
import { exactInterval } from "../gate/shares.ts";
import type { Figure, Measure } from "../measure.ts";
import { interruptions, ratioBias } from "../preempted-blocks.ts";

/** A standstill from a second on is measured again, as in a run; nothing else is. */
const leastRepeatedMs = 1_000;
const mostBias = 0.2;

function missed(of: string, contained: number, runs: number, atMost: number | undefined): Figure {
  const { low, high } = exactInterval(runs - contained, runs);
  return {
    of: `${of} misses the truth`,
    value: 100 * (1 - contained / runs),
    interval: { low: 100 * low, high: 100 * high },
    unit: "%",
    atMost,
  };
}

function coverageFigures(seed: number, runs: number, onProgress: (text: string) => void): readonly Figure[] {
  return scenarios.flatMap((scenario) => {
    const { noise, blocks } = scenario;
    onProgress(`${noise}, ${blocks}`);
    const row = coverageOf(scenario, runs, seed);
    const of = `${noise}, ${blocks === 1 ? "1 block" : `${blocks} blocks`} a round`;
    const atMost = noise === dependent ? undefined : 7;
    return [missed(`${of}: mean`, row.mean, runs, atMost), missed(`${of}: ratio`, row.ratio, runs, atMost)];
  });
}

function biasFigures(seed: number, share: number): readonly Figure[] {
  const runs = Math.ceil(20_000 * share);
  const bias = (of: string, isRepeated: (lostMs: number, elapsedMs: number) => boolean, atMost?: number): Figure[] =>
    interruptions.map((about) => ({
      of: `8 and 80 ms blocks, ${about.name}: ${of}`,
      value: Math.abs(ratioBias(about, { runs, seed, isRepeated })),
      interval: null,
      unit: "%",
      atMost,
    }));
  return [
    ...bias("bias", (lostMs) => lostMs >= leastRepeatedMs, mostBias),
    ...bias("bias if disturbed blocks were repeated", (lostMs, elapsedMs) => lostMs > 0.1 * elapsedMs),
  ];
}

export const measure: Measure = {
  name: "estimators",
  title: "intervals that miss the truth, and bias of ratios, by simulation",
  rounds: 1,
  run: async ({ seed, share, onProgress }) =>
    Promise.resolve([...coverageFigures(seed, Math.ceil(2_000 * share), onProgress), ...biasFigures(seed, share)]),
};
