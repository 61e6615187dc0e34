// A finished default run, made up but consistent and always the same: what the report's tests and pictures are made from.
import {
  inverted,
  type Analysis,
  type BreakEven,
  type Claim,
  type Comparison,
  type Ratio,
  type RatioClaim,
  type Summary,
} from "@roundtrip/analysis";
import { idsFromName, type RunFacts } from "@roundtrip/runs";
import type { Warning } from "@roundtrip/analysis";
import { factsOf } from "../../../analysis/test/synthetic-run.ts";
import type { ReportInput } from "../../src/view/report-input.ts";
import { defaultArms, type CostedArm } from "./arms.ts";
import { djurhuus2020, rablou2010 } from "./published.ts";
import { distributionOf, latencies, seeded, summarise } from "./statistics.ts";

const rounds = 6;

const warnings: readonly Warning[] = [
  {
    code: "not-settled",
    message: "GraphQL had not settled when the warm-up cap was reached in round 3",
    armId: "hello/hello/graphql-apollo/single",
  },
  { code: "few-cores", message: "client and server shared 2 cores with the operating system: read tails with care" },
];

function environment(): RunFacts["environment"] {
  return {
    runtime: "Node.js 24.21.0",
    libraries: { "@grpc/grpc-js": "1.14.0", express: "5.1.0", "@apollo/server": "5.1.0", graphql: "16.12.0" },
    cpuModel: "AMD EPYC 7B13",
    cores: 2,
    memoryGiB: 7.8,
    kernel: "Linux 6.8.0",
    congestionControl: "cubic",
    link: { kind: "loopback", rttMs: 0.031, mtuBytes: 65_536 },
    placement: "server on core 0, client on core 1",
  };
}

function summariesOf(costed: CostedArm, values: readonly number[], random: () => number): readonly Summary[] {
  const { arm } = costed;
  const startsProcesses =
    arm.study === "hello" || (arm.id.includes("/read/") && (arm.factors["attributes"] ?? 1) === 1);
  const firstCallMs = arm.role === "floor" ? 1.9 : costed.latencyMs * 4 + 22;
  const perRound = (mean: number): number[] => Array.from({ length: rounds }, () => mean * (0.95 + 0.1 * random()));
  return [
    summarise(arm.id, "latencyMs", values, rounds),
    ...(startsProcesses ? [summarise(arm.id, "firstCallMs", perRound(firstCallMs), rounds)] : []),
    summarise(arm.id, "serverCpuMsPerTask", perRound(costed.serverCpuMs), rounds),
    summarise(arm.id, "clientCpuMsPerTask", perRound(costed.clientCpuMs), rounds),
    summarise(arm.id, "wireBytesPerTask", Array<number>(rounds).fill(costed.wireBytes), rounds),
    summarise(arm.id, "callsPerTask", Array<number>(rounds).fill(arm.callsPerTask), rounds),
    summarise(arm.id, "connectionsOpened", Array<number>(rounds).fill(0), rounds),
  ];
}

function sameWork({ arm: one }: CostedArm, { arm: other }: CostedArm): boolean {
  const floor = one.role === "floor" || other.role === "floor";
  const sameFactors = floor || JSON.stringify(one.factors) === JSON.stringify(other.factors);
  return one.study === other.study && one.task === other.task && sameFactors;
}

function comparisonsOf(arms: readonly CostedArm[], summaries: readonly Summary[]): readonly Comparison[] {
  const meanOf = new Map(summaries.filter((row) => row.metric === "latencyMs").map((row) => [row.armId, row.mean]));
  const compare = (kind: Comparison["kind"], numerator: CostedArm, denominator: CostedArm): Comparison => {
    const ratio = (meanOf.get(numerator.arm.id) ?? 1) / (meanOf.get(denominator.arm.id) ?? 1);
    const [low, high] = [ratio * 0.96, ratio * 1.045];
    return {
      kind,
      numeratorId: numerator.arm.id,
      denominatorId: denominator.arm.id,
      ratio,
      low,
      high,
      basis: "max-t",
      hodgesLehmann: ratio * 1.002,
      rounds,
      family: `${kind} ${numerator.arm.study} ${numerator.arm.task}`,
      familySize: 3,
      verdict: low > 1 || high < 1 ? "different" : "inconclusive",
    };
  };
  return arms.flatMap((one, index) =>
    arms.slice(index + 1).flatMap((other) => {
      if (!sameWork(one, other)) return [];
      if (other.arm.role === "floor") return [compare("floor", one, other)];
      if (one.arm.variant === other.arm.variant) return [compare("stack", one, other)];
      return one.arm.stack === other.arm.stack ? [compare("variant", other, one)] : [];
    }),
  );
}

const titles: Readonly<Record<string, string>> = {
  "grpc-js": "gRPC",
  "rest-express": "REST",
  "graphql-apollo": "GraphQL",
};

const breakEvens: readonly BreakEven[] = ["read", "write"].flatMap((task) =>
  Object.entries(titles).map(([stack, title], index) => ({
    study: "facade",
    task,
    ...idsFromName(stack),
    title,
    stackTitle: title,
    settings: {},
    against: "chatty",
    factor: "attributes",
    factors: {},
    levels: [1, 6],
    facadeAt: index === 2 ? [1, 6] : [6],
    otherAt: [],
    line: {
      at: index === 2 ? null : 1.06 + 0.03 * index,
      low: index === 2 ? null : 1.01,
      high: index === 2 ? null : 1.12 + 0.03 * index,
      side: "above",
      facadeMsPerUnit: 0.0041,
      facadeLow: 0.0037,
      facadeHigh: 0.0045,
      otherMsPerUnit: 0.224,
    },
  })),
);

/** The clear claim that a comparison carries about its task. */
export function clearClaim(
  kind: RatioClaim["kind"],
  { study, task }: Pick<Claim, "study" | "task">,
  row: Ratio & Pick<Comparison, "numeratorId" | "denominatorId">,
): RatioClaim {
  const { numeratorId, denominatorId, ratio, low, high, basis, hodgesLehmann, rounds: of } = row;
  const armIds = [numeratorId, denominatorId];
  return { kind, study, task, strength: "clear", armIds, ratio, low, high, basis, hodgesLehmann, rounds: of };
}

/** The claims that these comparisons carry: styles against the cheapest, chatty calls against the façade, break-evens, distance. */
function claimsOf(
  arms: readonly CostedArm[],
  comparisons: readonly Comparison[],
  summaries: readonly Summary[],
): readonly Claim[] {
  const meanOf = new Map(summaries.filter(({ metric }) => metric === "latencyMs").map((row) => [row.armId, row.mean]));
  const cells = Map.groupBy(
    arms
      .map(({ arm }) => arm)
      .filter(({ role, variant }) => role === "style" && ["single", "facade"].includes(variant)),
    ({ study, task }) => `${study} ${task}`,
  );
  return [...cells.values()].flatMap((cell): readonly Claim[] => {
    const largest = cell.filter(({ factors }) => Object.values(factors).every((value) => value === 6));
    const ranked = largest.toSorted((one, other) => (meanOf.get(one.id) ?? 0) - (meanOf.get(other.id) ?? 0));
    const [fastest, ...others] = ranked;
    if (fastest === undefined) return [];
    const { study, task } = fastest;
    const ratioClaim = (kind: "style" | "variant", numeratorId: string, denominatorId: string): readonly Claim[] =>
      comparisons
        .flatMap((row) => [row, inverted(row)])
        .filter((row) => row.numeratorId === numeratorId && row.denominatorId === denominatorId)
        .map((row) => clearClaim(kind, fastest, row));
    const tasks = ranked.map(({ id }) => ({ ms: meanOf.get(id) ?? 0, roundTrips: 1 }));
    const armIds = ranked.map(({ id }) => id);
    return [
      ...others.flatMap(({ id }) => ratioClaim("style", id, fastest.id)),
      { kind: "distance", study, task, strength: "measured", armIds, tasks, sameFromMs: 5 },
      ...largest.flatMap(({ id }) => ratioClaim("variant", id.replace("/facade/", "/chatty/"), id)),
      ...breakEvens
        .filter((row) => row.study === study && row.task === task)
        .map(({ factor, against, levels, facadeAt, otherAt, line, stack }): Claim => ({
          kind: "break-even",
          study,
          task,
          strength: "clear",
          factor,
          against,
          levels,
          facadeAt,
          otherAt,
          ...(line === undefined ? {} : { line }),
          armIds: largest.filter((arm) => arm.stack === stack).map(({ id }) => id),
          from: line?.high == null ? 1 : Math.floor(line.high) + 1,
        })),
    ];
  });
}

/** A report's input from these arms; `samplesPerArm` is 1,500 in the default run, so that letter values exist. */
export function inputFrom(arms: readonly CostedArm[], samplesPerArm = 1500): ReportInput {
  const random = seeded(20_101_216);
  const samples = arms.map((costed) => latencies(costed.latencyMs, samplesPerArm, random));
  const summaries = arms.flatMap((costed, index) => summariesOf(costed, samples[index] ?? [], random));
  const comparisons = comparisonsOf(arms, summaries);
  const analysis: Analysis = {
    arms: arms.map(({ arm }) => arm),
    rounds: { planned: rounds, complete: rounds, begun: rounds },
    summaries,
    comparisons,
    memory: [],
    breakEvens,
    roundTrips: [],
    transfers: [],
    crossovers: [],
    drifts: [],
    voidCells: [],
    lateTails: [],
    callFailures: [],
    operations: [],
    anomalies: [],
    disturbed: [],
    loadSeries: [],
    carriedLoads: [],
    garbage: [],
    unsettled: [],
    machineUse: null,
    distributions: arms.map(({ arm }, index) => distributionOf(arm.id, samples[index] ?? [])),
    claims: claimsOf(arms, comparisons, summaries),
    warnings,
  };
  return {
    facts: {
      ...factsOf(analysis.arms, rounds),
      startedAt: "2026-01-15T09:30:00.000Z",
      durationMs: 48_300,
      seed: 42,
      command: "roundtrip bench",
      environment: environment(),
      verification: { responsesCompared: 312, answerGroups: 26, agreed: true },
    },
    analysis,
    published: [djurhuus2020, rablou2010],
    files: [
      { path: "runs/2026-01-15/report.html", holds: "everything, with pictures" },
      { path: "runs/2026-01-15/samples.parquet", holds: "one row per call" },
    ],
    page: { columns: 100, introducer: "" },
  };
}

let defaultRun: ReportInput | undefined;

/** The default run, always the same object: making it takes longer than most tests that read it. */
export function defaultInput(): ReportInput {
  return (defaultRun ??= inputFrom(defaultArms()));
}
