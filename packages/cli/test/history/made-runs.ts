// Runs made from a formula, as a history takes them.
import {
  idsFromName,
  type Arm,
  type EnvironmentFingerprint,
  type HistoryRecordCell,
  type Metric,
} from "@roundtrip/analysis";
import type { HistoryRun } from "../../src/history/history-run.ts";

export const machine: EnvironmentFingerprint = {
  cpuModel: "Test CPU",
  cores: 2,
  kernel: "Linux 6.1",
  runtime: "Node.js 24",
  link: "loopback",
};

/** The `index`-th run of a branch, one a day. */
export function madeRun(index: number, given: Partial<HistoryRun> = {}): HistoryRun {
  const startedAt = new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
  return {
    id: `run-${index}`,
    startedAt,
    at: startedAt,
    revision: `c0de${index.toString(16).padStart(3, "0")}`.padEnd(40, "0"),
    branch: "main",
    isDirty: false,
    status: "complete",
    rounds: 6,
    seed: 1,
    tool: "0.1.0",
    environment: machine,
    ...given,
  };
}

const titles: Readonly<Record<string, string>> = { "grpc-js": "gRPC", "rest-express": "REST" };

function madeArm(stack: string): Arm {
  return {
    id: `hello/hello/${stack}/single`,
    study: "hello",
    task: "hello",
    ...idsFromName(stack),
    title: titles[stack] ?? stack,
    stackTitle: titles[stack] ?? stack,
    role: "style",
    variant: "single",
    factors: { tls: false },
    callsPerTask: 1,
  };
}

/** A cell whose mean is this, in six rounds. */
export function madeCell(stack: string, metric: Metric, mean: number): HistoryRecordCell {
  const quantiles = { min: mean, p25: mean, p50: mean, p75: mean, p90: mean, p95: mean, p99: mean, max: mean };
  const summary = { ...quantiles, n: 60, mean, stddev: 0.1, whiskerLow: mean, whiskerHigh: mean, outliers: 0 };
  const arm = madeArm(stack);
  return {
    arm,
    summary: {
      ...summary,
      armId: arm.id,
      metric,
      meanLow: mean - 0.1,
      meanHigh: mean + 0.1,
      p50Low: null,
      p50High: null,
    },
    roundMeans: [mean - 0.1, mean + 0.1, mean, mean, null, mean],
  };
}

/** Two metrics of two arms. */
export function madeCells(latencyMs: number): readonly HistoryRecordCell[] {
  return ["grpc-js", "rest-express"].flatMap((stack) => [
    madeCell(stack, "latencyMs", latencyMs),
    madeCell(stack, "serverCpuMsPerTask", latencyMs / 2),
  ]);
}
