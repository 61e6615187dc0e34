// Figures from a program of `processes/` that tries several ways in turns, started anew in every round.
import { meanIntervals } from "./mean-intervals.ts";
import type { Figure, MeasureOptions } from "./measure.ts";
import { runProbe } from "./run-probe.ts";

/** One column of what the program reports about each way. */
export interface WayFigures<C> {
  /** Put behind the way's name, for example ` (client CPU)`. */
  readonly suffix: string;
  readonly unit: string;
  value(cost: C): number;
}

/** Runs the program once per round and gives one figure for each way and column. */
export async function wayFigures<C>(
  probe: string,
  columns: readonly WayFigures<C>[],
  { rounds, seed, onProgress }: MeasureOptions,
): Promise<readonly Figure[]> {
  const answers: Readonly<Record<string, C>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    answers.push(await runProbe<Readonly<Record<string, C>>>(probe));
  }
  const rows = Object.keys(answers[0] ?? {}).flatMap((way) => columns.map((column) => ({ way, column })));
  const computed = meanIntervals(
    rows.map(({ way, column }) => answers.map((answer) => column.value(answer[way] as C))),
    seed,
  );
  return rows.map(({ way, column: { suffix, unit } }, index) => ({
    of: `${way}${suffix}`,
    value: computed[index]?.mean ?? Number.NaN,
    interval: computed[index]?.interval ?? null,
    unit,
    atMost: undefined,
  }));
}
