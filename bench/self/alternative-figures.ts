// Figures from a program of `processes/` that runs alternatives in turn, started anew in every round.
import { meanIntervals } from "./mean-intervals.ts";
import type { Figure, MeasureOptions } from "./measure.ts";
import { runProbe } from "./run-probe.ts";

/** One column of the report about each alternative. */
export interface AlternativeFigures<C> {
  /** Appended to the name of the alternative, for example ` (client CPU)`. */
  readonly suffix: string;
  readonly unit: string;
  value(cost: C): number;
}

/** Runs the program once per round and returns one figure for each alternative and column. */
export async function alternativeFigures<C>(
  probe: string,
  columns: readonly AlternativeFigures<C>[],
  { rounds, seed, onProgress }: MeasureOptions,
): Promise<readonly Figure[]> {
  const answers: Readonly<Record<string, C>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    answers.push(await runProbe<Readonly<Record<string, C>>>(probe));
  }
  const rows = Object.keys(answers[0] ?? {}).flatMap((name) => columns.map((column) => ({ name, column })));
  const computed = meanIntervals(
    rows.map(({ name, column }) => answers.map((answer) => column.value(answer[name] as C))),
    seed,
  );
  return rows.map(({ name, column: { suffix, unit } }, index) => ({
    of: `${name}${suffix}`,
    value: computed[index]?.mean ?? Number.NaN,
    interval: computed[index]?.interval ?? null,
    unit,
    atMost: undefined,
  }));
}
