// How often the intervals of library effects miss the true value, for each kind of noise.
import { libraryEffects, randomFrom, type LibraryEffects } from "@roundtrip/analysis/statistics";
import { noises, type NoiseSource } from "./gate/noises.ts";

/** Chosen so that the servers of styles two and three make both variances equal. */
const other = Math.sqrt(0.0952);

/** Effects on the logarithms of stacks. The first server and client are those that others are measured with. */
const truths = [
  { style: "one", mean: 0, servers: [0.36, 0, -0.36], clients: [0.1, -0.1] },
  { style: "two", mean: 0.4, servers: [other, -other], clients: [0] },
  { style: "three", mean: -0.4, servers: [other, -other], clients: [0] },
] as const;

/** Simulated tables for each row of the page. */
export const tablesOfPage = 1_000;

/** Standard deviation of a stack's logarithm from round to round. */
const noiseScale = 0.1;

type Truth = (typeof truths)[number];

interface TrueStack {
  readonly style: string;
  readonly server: string;
  readonly client: string;
  readonly log: number;
}

function stacksOf({ style, mean, servers, clients }: Truth): readonly TrueStack[] {
  const stack = (server: number, client: number): TrueStack => ({
    style,
    server: `${server}`,
    client: `${client}`,
    log: mean + (servers[server] ?? 0) + (clients[client] ?? 0),
  });
  return [
    ...servers.map((_, server) => stack(server, 0)),
    ...clients.slice(1).map((_, client) => stack(0, client + 1)),
  ];
}

function squares(effects: readonly number[]): number {
  return effects.reduce((sum, effect) => sum + effect ** 2, 0);
}

const trueVariances = {
  style: squares(truths.map(({ mean }) => mean)) / (truths.length - 1),
  server: squares(truths.flatMap(({ servers }) => servers)) / 4,
  client: squares(truths.flatMap(({ clients }) => clients)) / 1,
} as const;

const arms = truths.flatMap(stacksOf).map((stack) => {
  const name = `${stack.style} ${stack.server} ${stack.client}`;
  return { ...stack, id: name, stack: name };
});

function simulated(noise: NoiseSource, rounds: number, seed: number): LibraryEffects {
  const common = noise(rounds);
  const turns = new Map(
    arms.map(({ id, log }) => {
      const own = noise(rounds);
      return [
        id,
        Array.from(own, (value, round) => new Map([[0, Math.exp(log + noiseScale * (value + (common[round] ?? 0)))]])),
      ];
    }),
  );
  const titles = { study: "", task: "", role: "style", variant: "", factors: {}, callsPerTask: 1 } as const;
  const all = arms.map((arm) => ({ ...titles, ...arm, title: arm.id, stackTitle: arm.id }));
  const effects = libraryEffects(all, "latencyMs", (id) => turns.get(id) ?? [], seed);
  if (effects === null) throw new Error("nothing was fitted");
  return effects;
}

function trueRatio({ choice, style, numerator, denominator }: LibraryEffects["ratios"][number]): number {
  const effect = (name: string): number => {
    if (choice === "style") return truths.find((truth) => truth.style === name)?.mean ?? Number.NaN;
    return truths.find((truth) => truth.style === style)?.[`${choice}s`][Number(name)] ?? Number.NaN;
  };
  return Math.exp(effect(numerator) - effect(denominator));
}

interface FoundInterval {
  readonly low: number | null;
  readonly high: number | null;
}

function missed({ low, high }: FoundInterval, truth: number): boolean {
  return low === null || high === null || low > truth || high < truth;
}

export interface LibraryCoverageRow {
  readonly noise: string;
  readonly rounds: number;
  readonly tables: number;
  /** Tables in which the interval of a ratio missed the true one. */
  readonly missedRatios: number;
  /** Tables in which the interval of the variance of styles missed it, and so on. */
  readonly missedVariances: Readonly<Record<keyof typeof trueVariances, number>>;
  /** Tables that say that style or server matters more, though the variances are equal. */
  readonly wrongChoices: number;
}

/** Simulates `tables` tables; the same seed gives the same row. Throws an Error for an unknown kind of noise. */
export function libraryCoverage(name: string, rounds: number, tables: number, seed: number): LibraryCoverageRow {
  const kind = noises.find((noise) => noise.name === name);
  if (kind === undefined) throw new Error(`there is no noise ${name}`);
  const source = kind.from(randomFrom(seed, `${name} ${rounds}`));
  let missedRatios = 0;
  let wrongChoices = 0;
  const missedVariances = { style: 0, server: 0, client: 0 };
  for (let table = 0; table < tables; table += 1) {
    const { ratios, variances, matters } = simulated(source, rounds, seed + table);
    if (ratios.some((row) => missed(row, trueRatio(row)))) missedRatios += 1;
    for (const row of variances) {
      if (row.choice !== "pair" && missed(row, trueVariances[row.choice])) missedVariances[row.choice] += 1;
    }
    if (matters !== null) wrongChoices += 1;
  }
  return { noise: name, rounds, tables, missedRatios, missedVariances, wrongChoices };
}
