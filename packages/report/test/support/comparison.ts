// Comparisons made up but consistent, always the same: what tests and pictures of their documents are made from.
import {
  type ComparedCell,
  type ComparedLatency,
  type ComparedMemory,
  type Metric,
  type UnpairedComparison,
  type PairedComparison,
  type VersionComparison,
  type VersionFigures,
} from "@roundtrip/analysis";
import { idsFromName } from "@roundtrip/runs";
import type { ComparisonInput } from "../../src/registry/format.ts";
import { latencies, seeded, summarise } from "./statistics.ts";

const random = seeded(7);

function figures(armId: string, metric: Metric, meanMs: number): VersionFigures {
  const values = latencies(meanMs, metric === "latencyMs" ? 900 : 60, random);
  const { metric: _metric, roundMeans: _rounds, ...row } = summarise(armId, metric, values);
  return row;
}

const stacks = [
  ["grpc-js", "gRPC", 1.2],
  ["rest-express", "REST", 1.5],
  ["graphql-apollo", "GraphQL", 2.2],
] as const;

const tasks = [
  ["hello", "single"],
  ["read", "facade"],
  ["read", "chatty"],
] as const;

/** Every cell of the usual gate as it came out when nothing changed; `change` says what did. */
export function cellsOf(change: (id: string) => Partial<ComparedCell> = () => ({})): readonly ComparedCell[] {
  return tasks.flatMap(([task, variant], row) =>
    stacks.flatMap(([stack, title, scale]) =>
      (["latencyMs", "serverCpuMsPerTask"] as const).map((metric): ComparedCell => {
        const armId = `gate/${task}/${stack}/${variant}`;
        const id = `${armId} ${metric}`;
        const own = change(id);
        const meanMs = scale * (1 + row) * (metric === "latencyMs" ? 1 : 0.3);
        const ratio = own.ratio ?? 0.995 + 0.01 * random();
        const noise = metric === "latencyMs" ? 0.024 : 0.012;
        return {
          id,
          study: "gate",
          task,
          ...idsFromName(stack),
          title,
          variant,
          factors: { arrivals: "poisson" },
          metric,
          base: figures(armId, metric, meanMs),
          head: figures(armId, metric, meanMs * ratio),
          rounds: { base: 12, head: 12 },
          ratio,
          low: ratio * (1 - noise),
          high: ratio * (1 + noise),
          atMost: ratio * (1 + noise * 0.8),
          pseudoMedian: ratio * 1.001,
          state: "not-worse",
          smallestDetectable: noise * 1.4,
          ...own,
        };
      }),
    ),
  );
}

const usual = cellsOf();

function latenciesOf(moved: (id: string) => ComparedLatency["moved"] = () => []): readonly ComparedLatency[] {
  return usual
    .filter(({ metric }) => metric === "latencyMs")
    .map(({ id, base, head, study, task, style, server, client, stack, title, variant, factors }) => {
      const arm = { study, task, style, server, client, stack, title, variant, factors };
      const armId = id.slice(0, -" latencyMs".length);
      const changes = moved(armId);
      const now = (statistic: "mean" | "p99", value: number): number =>
        value * (changes.find((change) => change.statistic === statistic)?.ratio ?? 1);
      const before = { p50: base.p50, p99: base.p99 ?? base.max, mean: base.mean };
      const after = { p50: head.p50, p99: now("p99", before.p99), mean: now("mean", before.mean) };
      return { id: armId, ...arm, base: before, head: after, moved: changes };
    });
}

const memory: readonly ComparedMemory[] = latenciesOf().map(({ moved: _moved, ...arm }, index) => ({
  ...arm,
  base: { peakBytes: (90 + index) * 2 ** 20, allocatedBytesPerTask: 20 * 2 ** 10 },
  head: { peakBytes: (95 + index) * 2 ** 20, allocatedBytesPerTask: index === 0 ? null : 21 * 2 ** 10 },
}));

/** One call in a hundred of gRPC hello takes ten milliseconds more. */
export const slowTail = latenciesOf((id) =>
  id === "gate/hello/grpc-js/single"
    ? [
        { statistic: "mean", ratio: 1.1, low: 1.07, high: 1.13 },
        { statistic: "p99", ratio: 6, low: 4, high: 9 },
      ]
    : [],
);

export const slowRest = (id: string): Partial<ComparedCell> =>
  id.startsWith("gate/hello/rest-express") ? { state: "worse", ratio: id.endsWith("latencyMs") ? 1.081 : 1.064 } : {};

const undecidedGraphql = (id: string): Partial<ComparedCell> =>
  id === "gate/read/graphql-apollo/chatty latencyMs"
    ? { state: "undecided", ratio: 1.031, low: 0.97, high: 1.094, atMost: 1.081, smallestDetectable: 0.0743 }
    : {};

export const passed: PairedComparison = {
  kind: "side-by-side",
  verdict: "pass",
  reason: "",
  doubts: [],
  base: { label: "main", commit: "4f1c2ab90d77c1d3b3a1d7c1f00e7a1b2c3d4e5f" },
  head: { label: "HEAD", commit: "9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d" },
  tolerate: 0.02,
  detect: 0.05,
  alpha: 0.01,
  passAlpha: 0.05,
  rounds: 12,
  mostRounds: 30,
  durationMs: 51_400,
  cells: usual,
  latencies: latenciesOf(),
  memory,
  exact: [],
  onlyBase: [],
  onlyHead: [],
  environmentDifferences: [],
  recheck: null,
  warnings: [],
};

export const failed: PairedComparison = {
  ...passed,
  verdict: "fail",
  head: { ...passed.head, dirty: true },
  cells: cellsOf(slowRest),
  exact: [
    {
      id: "gate/hello/rest-express/single wireBytesPerTask",
      study: "gate",
      task: "hello",
      ...idsFromName("rest-express"),
      title: "REST",
      variant: "single",
      factors: { arrivals: "poisson" },
      metric: "wireBytesPerTask",
      base: 293,
      head: 341,
    },
  ],
  recheck: {
    isConfirmed: true,
    rounds: 12,
    cells: ["latencyMs", "serverCpuMsPerTask"].map((metric) => ({
      id: `gate/hello/rest-express/single ${metric}`,
      isConfirmed: true,
      ratio: 1.07,
    })),
  },
  warnings: [{ code: "few-cores", message: "client and server shared 2 cores with the operating system" }],
};

export const inconclusive: PairedComparison = {
  ...passed,
  verdict: "inconclusive",
  reason: "1 metric of 18 could not be decided: all 30 rounds are over",
  rounds: 30,
  durationMs: 128_000,
  cells: cellsOf(undecidedGraphql),
};

export const better: PairedComparison = {
  ...passed,
  cells: cellsOf((id) => (id.startsWith("gate/read/grpc-js/facade") ? { state: "better", ratio: 0.88 } : {})),
};

export const runs: UnpairedComparison = {
  kind: "run-directories",
  base: { label: "runs/monday", when: "2026-01-12T09:30:00.000Z" },
  head: { label: "runs/friday", when: "2026-01-16T09:30:00.000Z" },
  tolerate: 0.02,
  detect: 0.05,
  cells: cellsOf().map((cell) => ({
    ...cell,
    low: cell.ratio * 0.86,
    high: cell.ratio * 1.17,
    atMost: null,
    state: "undecided",
    smallestDetectable: null,
  })),
  latencies: latenciesOf(),
  memory,
  exact: [],
  onlyBase: ["gate/hello/floor/single"],
  onlyHead: [],
  environmentDifferences: [{ what: "CPU model", base: "AMD EPYC 7B13", head: "Intel Xeon 8370C" }],
  warnings: [
    {
      code: "different-jobs",
      message: "two jobs differ as a whole: comparing across jobs has raised false alarms in 41 to 60 % of comparisons",
    },
  ],
};

/** The input of a document on 80 columns without colours. */
export function inputOf(comparison: VersionComparison): ComparisonInput {
  return {
    comparison,
    files: [{ path: "runs/one/report.html", holds: "all tables and plots of the run" }],
    pictures: [],
    page: { columns: 80, introducer: "" },
  };
}
