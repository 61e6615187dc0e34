// The effect of the client library on a call: k6 and this project's clients on the same servers, docs/decisions/0189-k6-beside-the-node-clients.md.
import { contractImage, findK6, type K6Plan } from "@roundtrip/k6";
import { measureRun, poisson, usualAnswerLimitMs, type Study, type Task } from "@roundtrip/runner";
import { loadStack } from "@roundtrip/stacks";
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { join } from "node:path";
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import { greeting } from "../../greeting.ts";
import { ownDurationsMs } from "../k6-own-durations.ts";
import { k6BesideNode, type GeneratorName, type GeneratorRound } from "../k6-beside-node.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { meanFigures, ratioIntervals } from "../mean-intervals.ts";

const titles = { "graphql-apollo": "GraphQL", "grpc-js": "gRPC", "rest-express": "REST" } as const;
type StackName = keyof typeof titles;

const generators: readonly { readonly name: GeneratorName; readonly title: string }[] = [
  { name: "node", title: "Node" },
  { name: "k6", title: "k6" },
];

/** Slow enough that calls hardly overlap, and fast enough that p99 rests on more than a few. */
const rateHz = 100;
const arrivals = 400;
/** Sequential calls: without waiting for arrivals, the CPU time is that of the calls. */
const inTurn = 300;

const common = { factors: {}, settings: {}, links: [], ...greeting, takesFirstCalls: false } satisfies Partial<Task>;

const study: Study = {
  name: "k6-clients",
  title: "Two generators",
  question: "What does the client library do to a call?",
  rounds: 6,
  tasks: [
    {
      ...common,
      name: "arrivals",
      load: { pacer: poisson({ rateHz }) },
      callers: 8,
      tasksPerRound: arrivals,
      tasksPerBlock: arrivals,
    },
    { ...common, name: "in-turn", callers: 1, tasksPerRound: inTurn, tasksPerBlock: inTurn },
  ],
};

/** Of one round, generator and stack. */
interface Cell {
  readonly medianUs: number;
  readonly p99Us: number;
  readonly clientCpuUs: number;
}

function isOf(armId: string, task: string, stack: StackName): boolean {
  return armId.startsWith(`${study.name}/${task}/${stack}/`);
}

/** Latencies start when a call was sent, to compare clients and not how late they wake up. */
function cellOf({ log }: GeneratorRound, stack: StackName): Cell {
  const rows = log.rows();
  const latenciesUs = rows.armId.flatMap((armId, row) =>
    isOf(armId, "arrivals", stack) ? Number((rows.endedAtNs[row] ?? 0n) - (rows.startedAtNs[row] ?? 0n)) / 1_000 : [],
  );
  const sorted = sortedCopy(latenciesUs);
  const [block] = log.blocks.filter(({ armId }) => isOf(armId, "in-turn", stack));
  const { clientCpuMs, calls } = block ?? { clientCpuMs: null, calls: 1 };
  return {
    medianUs: quantile(sorted, 0.5),
    p99Us: quantile(sorted, 0.99),
    clientCpuUs: ((clientCpuMs ?? Number.NaN) * 1_000) / calls,
  };
}

const columns: readonly { readonly name: string; readonly of: (cell: Cell) => number }[] = [
  { name: "median", of: ({ medianUs }) => medianUs },
  { name: "p99", of: ({ p99Us }) => p99Us },
  { name: "client CPU", of: ({ clientCpuUs }) => clientCpuUs },
];

/** The median of k6's own durations in one round, without the time of its script around calls. */
function ownMedianUs(durations: ReadonlyMap<string, readonly number[]>, stack: StackName): number {
  const ofStack = [...durations].flatMap(([armId, ms]) => (isOf(armId, "arrivals", stack) ? ms : []));
  return quantile(sortedCopy(ofStack), 0.5) * 1_000;
}

/**
 * @param rounds of both generators, in the order in which they ran
 * @param own k6's own durations of the calls of each of its rounds, in milliseconds by arm
 */
export function figuresOf(
  rounds: readonly GeneratorRound[],
  own: readonly ReadonlyMap<string, readonly number[]>[],
  seed: number,
): readonly Figure[] {
  const names = Object.keys(titles) as StackName[];
  const cells = (generator: GeneratorName, stack: StackName): readonly Cell[] =>
    rounds.filter((round) => round.generator === generator).map((round) => cellOf(round, stack));
  const latencies = columns.flatMap(({ name, of }) =>
    meanFigures(
      names.flatMap((stack) =>
        generators.map((generator) => ({
          of: `${titles[stack]}, ${name}, ${generator.title}`,
          unit: "µs",
          atMost: undefined,
          values: cells(generator.name, stack).map(of),
        })),
      ),
      seed,
    ),
  );
  const logs = names.map((stack) => {
    const [node, k6] = [cells("node", stack), cells("k6", stack)];
    return node.map(({ medianUs }, round) => Math.log((k6[round]?.medianUs ?? Number.NaN) / medianUs));
  });
  const ratios = ratioIntervals(logs, seed).map(({ mean, interval }, index): Figure => {
    const stack = names[index] ?? "rest-express";
    const atMost = stack === "rest-express" ? 1.15 : undefined;
    return { of: `${titles[stack]}, median, k6 over Node`, value: mean, interval, unit: "×", atMost };
  });
  const ownMedians = meanFigures(
    names.map((stack) => ({
      of: `${titles[stack]}, median, k6's own count`,
      unit: "µs",
      atMost: undefined,
      values: own.map((durations) => ownMedianUs(durations, stack)),
    })),
    seed,
  );
  return [...ratios, ...latencies, ...ownMedians];
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  using directory = temporaryFolder("self");
  const stop = new AbortController();
  using _ = atExit(() => stop.abort());
  const seen: GeneratorRound[] = [];
  const own: ReadonlyMap<string, readonly number[]>[] = [];
  const options = {
    k6: await findK6(),
    instances: 1,
    image: contractImage({ kind: "built-in" }),
    onResults: async (plan: K6Plan, files: readonly string[]) => void own.push(await ownDurationsMs(plan, files)),
  };
  await measureRun(
    {
      studies: [study],
      stacks: await Promise.all(Object.keys(titles).map((name) => loadStack(name))),
      settings: {},
      link: "auto",
      links: {},
      targets: [],
      targetsAreDisposable: false,
      answerLimitMs: usualAnswerLimitMs,
      contract: { kind: "built-in" },
      service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
      serviceDefaults: {},
      directory: join(directory.path, "run"),
      seed,
      rounds,
      warmUpMs: 1_000,
      budgetMs: rounds * 120_000,
      tls: false,
      command: "bench:self k6-clients",
      engine: k6BesideNode(options, (round) => void seen.push(round)),
    },
    stop.signal,
    ({ round }) => onProgress(`round ${round + 1} of ${rounds}`),
  );
  return figuresOf(seen, own, seed);
}

export const measure: Measure = {
  name: "k6-clients",
  title: `hello at ${rateHz} arrivals a second on the same servers, by Node's clients and by k6: latency from the call, and CPU of the client of calls in turn`,
  rounds: 6,
  run,
};
