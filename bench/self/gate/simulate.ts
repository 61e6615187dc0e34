// Simulated jobs of the gate with a known truth: kinds of noise, the log ratios of rounds, and the tally of their verdicts.
import {
  confirm,
  confirmationRounds,
  type GateCell,
  gateDefaults,
  type GateJudgement,
  type GateRounds,
  type GateSettings,
  type GateState,
  judge,
  passedStacks,
} from "@roundtrip/analysis/gate";
import { randomFrom, type Random } from "@roundtrip/analysis/statistics";

/** Standard normal draws: the polar method of Marsaglia and Bray, "A Convenient Method for Generating Normal Variables", SIAM Review 6 (1964). */
export function normalSource(random: Random): () => number {
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const kept = spare;
      spare = Number.NaN;
      return kept;
    }
    let x = 0;
    let y = 0;
    let square = 0;
    do {
      x = 2 * random() - 1;
      y = 2 * random() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    spare = y * factor;
    return x * factor;
  };
}

/** Draws one series after another: the noise of rounds 0, 1, 2, … in standard deviations. */
export type NoiseSource = (rounds: number) => Float64Array;

interface Noise {
  readonly name: string;
  readonly from: (random: Random) => NoiseSource;
}

function independent(draw: () => number): NoiseSource {
  return (rounds) => Float64Array.from({ length: rounds }, draw);
}

/** All have variance 1, except that the spikes are added to it. */
export const noises: readonly Noise[] = [
  {
    name: "normal",
    // Many small causes.
    from: (random) => independent(normalSource(random)),
  },
  {
    name: "heavy-tailed",
    // Student's t with three degrees of freedom: now and then a round is far off.
    from(random) {
      const normal = normalSource(random);
      // t₃ has variance 3.
      return independent(() => normal() / Math.hypot(normal(), normal(), normal()));
    },
  },
  {
    name: "autocorrelated",
    // Half of a round's deviation stays for the next (first-order autoregression, 0.5).
    from(random) {
      const normal = normalSource(random);
      return (rounds) => {
        let state = normal();
        return Float64Array.from({ length: rounds }, () => {
          const now = state;
          state = 0.5 * state + Math.sqrt(0.75) * normal();
          return now;
        });
      };
    },
  },
  {
    name: "spiky",
    // In one round of twenty a neighbour hits either side, by six standard deviations on average.
    from(random) {
      const normal = normalSource(random);
      const spike = (): number => -6 * Math.log(1 - random()) * (random() < 0.5 ? -1 : 1);
      return independent(() => normal() + (random() < 0.05 ? spike() : 0));
    },
  },
  {
    name: "bimodal",
    // Each process starts in one of two layouts, 1.3 standard deviations apart.
    from(random) {
      const normal = normalSource(random);
      const layout = (): number => (random() < 0.5 ? 0 : 1.3);
      // Two layouts differ with variance 1.3² / 2.
      return independent(() => layout() - layout() + Math.sqrt(1 - 1.3 ** 2 / 2) * normal());
    },
  },
  {
    name: "order effect",
    // Whoever starts second is slower by 0.8 standard deviations, and who does is drawn in each round.
    from(random) {
      const normal = normalSource(random);
      return independent(() => (random() < 0.5 ? -0.8 : 0.8) + 0.6 * normal());
    },
  },
];

const stacks = ["grpc-js", "rest-express", "graphql-apollo"] as const;
const tasks = ["hello", "customer"] as const;

/** Round-level standard deviations of ln(head / base) of two equal servers, as measured on a machine with two cores (decision 0187), rounded up. */
const metrics = [
  { metric: "latencyMs", deviation: 0.03 },
  { metric: "serverCpuMsPerTask", deviation: 0.025 },
] as const;

export type SimulatedMetric = (typeof metrics)[number]["metric"];

export interface SimulatedCell extends GateCell {
  readonly deviation: number;
}

/** Three stacks, two tasks, two metrics: twelve cells. */
export const simulatedCells: readonly SimulatedCell[] = stacks.flatMap((stack) =>
  tasks.flatMap((task) =>
    metrics.map(({ metric, deviation }) => ({
      id: `gate/${task}/${stack}/facade ${metric}`,
      stack,
      study: "gate",
      task,
      variant: "facade",
      metric,
      deviation,
    })),
  ),
);

/** All cells of a stack share its processes, and therefore half of their noise (by variance). */
const shared = Math.SQRT1_2;

/**
 * `values[r][c]` of a job whose cell c is truly `effects[c]` slower (0.05 is 5 %).
 * @param cells of {@link simulatedCells}, with as many effects
 */
function simulatedValues(
  noise: NoiseSource,
  rounds: number,
  cells: readonly SimulatedCell[],
  effects: readonly number[],
): readonly (readonly number[])[] {
  const common = new Map(stacks.map((stack) => [stack as string, noise(rounds)]));
  const columns = cells.map(({ stack, deviation }, cell) => {
    const own = noise(rounds);
    const together = common.get(stack);
    const shift = Math.log1p(effects[cell] ?? 0);
    return own.map((value, round) => shift + deviation * shared * (value + (together?.[round] ?? 0)));
  });
  return Array.from({ length: rounds }, (_, round) => columns.map((column) => column[round] ?? Number.NaN));
}

export interface JobsAsked {
  readonly noise: string;
  /** The true slowdown of each simulated cell. */
  readonly effects: readonly number[];
  /** The number of the first job. With the seed, it determines all random choices of the job. */
  readonly from: number;
  readonly jobs: number;
  readonly seed: number;
}

export interface JobTally {
  readonly jobs: number;
  /** Jobs that failed at any look. */
  readonly failed: number;
  /** Failed jobs that fresh rounds confirmed: these would block a change. */
  readonly blocked: number;
  /** Blocked jobs in which all named cells are within the tolerated slowdown. */
  readonly misnamed: number;
  readonly passed: number;
  /** Jobs by the number of rounds after which they ended, without confirmation. */
  readonly endedAfter: Readonly<Record<number, number>>;
  /** Jobs whose intervals all contained the true value at the end. */
  readonly covered: number;
}

const planned = gateDefaults.looks.at(-1) ?? 0;

/** The judgement that ends a job of these rounds: it is judged at every look, and a stack that has passed is measured no more. */
export function endOfJob({ cells, values }: GateRounds, settings: GateSettings): GateJudgement {
  const measured = values.map((round) => [...round]);
  for (const look of settings.looks) {
    const judgement = judge({ cells, values: measured.slice(0, look) }, settings);
    if (judgement.state !== "undecided") return judgement;
    const passed = passedStacks(judgement.cells);
    for (const round of measured.slice(look)) {
      for (const [index, { stack }] of cells.entries()) if (passed.has(stack)) round[index] = Number.NaN;
    }
  }
  throw new Error("the values end before the last look");
}

function containTruth({ cells }: GateJudgement, effects: readonly number[]): boolean {
  return cells.every(({ low, high }, cell) => low <= 1 + (effects[cell] ?? 0) && 1 + (effects[cell] ?? 0) <= high);
}

/** Runs the jobs one after the other. The same request gives the same tally. */
export function simulateJobs({ noise: name, effects, from, jobs, seed }: JobsAsked): JobTally {
  const noise = noises.find((kind) => kind.name === name);
  if (noise === undefined) throw new Error(`there is no noise ${name}`);
  // Jobs of different requests use different sign groups, so that no property of one group looks like one of the gate.
  const settings = { ...gateDefaults, seed: seed + from };
  const ended: Record<GateState, number> = { fail: 0, pass: 0, inconclusive: 0, undecided: 0 };
  const endedAfter: Record<number, number> = {};
  let blocked = 0;
  let misnamed = 0;
  let covered = 0;
  for (let job = from; job < from + jobs; job += 1) {
    const source = noise.from(randomFrom(seed, `${name} ${effects.join(" ")} ${job}`));
    const values = simulatedValues(source, planned, simulatedCells, effects);
    const end = endOfJob({ cells: simulatedCells, values }, settings);
    ended[end.state] += 1;
    endedAfter[end.rounds] = (endedAfter[end.rounds] ?? 0) + 1;
    if (containTruth(end, effects)) covered += 1;
    if (end.state !== "fail") continue;
    const worse = end.cells.flatMap(({ state }, cell) => (state === "worse" ? [cell] : []));
    const cells = worse.flatMap((cell) => simulatedCells[cell] ?? []);
    const truths = worse.map((cell) => effects[cell] ?? 0);
    const again = simulatedValues(source, confirmationRounds(end, settings), cells, truths);
    const { isConfirmed, cells: confirmed } = confirm({ cells, values: again }, settings);
    if (!isConfirmed) continue;
    blocked += 1;
    if (confirmed.every((cell, index) => !cell.isConfirmed || (truths[index] ?? 0) <= settings.tolerate)) misnamed += 1;
  }
  return {
    jobs,
    failed: ended.fail,
    blocked,
    misnamed,
    passed: ended.pass,
    endedAfter,
    covered,
  };
}
