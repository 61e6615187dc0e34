// The time from the start of a fake's process until it listens, and until every style has answered a first call.
import { meanFigures } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { runProbe } from "../run-probe.ts";

interface Ready {
  readonly readyMs: number;
  readonly answeredMs: number;
}

const manyMessages = 500;

const contracts = [
  { name: "this project's contract", given: [], readyAtMostMs: 1_000 },
  { name: `${manyMessages} messages`, given: [String(manyMessages)], readyAtMostMs: 3_000 },
] as const;

const inMs = { unit: "ms", atMost: undefined } as const;

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const seen = contracts.map((contract) => ({ contract, starts: [] as Ready[] }));
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const { contract, starts } of seen)
      starts.push(await runProbe<Ready>("fake-ready-process", [], contract.given));
  }
  const rows = seen.flatMap(({ contract: { name, readyAtMostMs }, starts }) => [
    { ...inMs, of: `${name}, listening`, atMost: readyAtMostMs, values: starts.map(({ readyMs }) => readyMs) },
    { ...inMs, of: `${name}, every style called`, values: starts.map(({ answeredMs }) => answeredMs) },
  ]);
  return meanFigures(rows, seed);
}

export const measure: Measure = {
  name: "fake-ready",
  title: "starting a fake on three styles, from the beginning of its process",
  rounds: 6,
  run,
};
