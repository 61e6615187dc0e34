// Simulated jobs of the gate with a known truth: log ratios of rounds, like those of the default study.
import type { GateCell } from "@roundtrip/analysis/gate";
import type { NoiseSource } from "./noises.ts";

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
export function simulatedValues(
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
