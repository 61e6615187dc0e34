// The calls of a mix by operation: which of its operations are slow, and which fail.
import { sortInPlace } from "../statistics/describe-samples.ts";
import type { Arm, Samples } from "@roundtrip/runs";

/** The latencies of one operation in one round, in milliseconds, ascending. */
export interface OperationRound {
  readonly round: number;
  readonly sorted: Float64Array;
}

export interface OperationCalls {
  readonly operation: string;
  readonly calls: number;
  readonly failedCalls: number;
  /** Of the answered calls, without rounds that have none. */
  readonly rounds: readonly OperationRound[];
}

interface Growing {
  calls: number;
  failedCalls: number;
  readonly latenciesMs: Map<number, number[]>;
}

function ended({ calls, failedCalls, latenciesMs }: Growing, operation: string): OperationCalls {
  const rounds = [...latenciesMs].map(([round, values]) => ({ round, sorted: sortInPlace(Float64Array.from(values)) }));
  return { operation, calls, failedCalls, rounds };
}

/** By arm, in their order; empty for an arm that is no mix. Operations are in the order of the mix. */
export function operationsOf(arms: readonly Arm[], samples: Samples): readonly (readonly OperationCalls[])[] {
  const growing = arms.map(
    ({ mix = [] }) =>
      new Map(
        mix.map((operation): [string, Growing] => [operation, { calls: 0, failedCalls: 0, latenciesMs: new Map() }]),
      ),
  );
  if (growing.every(({ size }) => size === 0)) return arms.map(() => []);
  for (let row = 0; row < samples.length; row += 1) {
    const arm = samples.arm[row] as number;
    const one = growing[arm]?.get(arms[arm]?.mix?.[samples.step[row] as number] ?? "");
    if (one === undefined) continue;
    one.calls += 1;
    if (samples.outcomes[samples.outcome[row] as number] !== "OK") {
      one.failedCalls += 1;
      continue;
    }
    const round = samples.round[row] as number;
    const latencyMs = ((samples.endedAtNs[row] as number) - (samples.intendedAtNs[row] as number)) / 1e6;
    const known = one.latenciesMs.get(round);
    if (known === undefined) one.latenciesMs.set(round, [latencyMs]);
    else known.push(latencyMs);
  }
  return growing.map((operations) => [...operations].map(([operation, one]) => ended(one, operation)));
}

/** Joins the calls of parts of a run. Every round must be whole in one part. */
export function joinOperations(
  parts: readonly (readonly (readonly OperationCalls[])[])[],
): readonly (readonly OperationCalls[])[] {
  const [first = []] = parts;
  return first.map((operations, arm) =>
    operations.map(({ operation }, index) => {
      const all = parts.flatMap((part) => part[arm]?.[index] ?? []);
      return {
        operation,
        calls: all.reduce((sum, { calls }) => sum + calls, 0),
        failedCalls: all.reduce((sum, { failedCalls }) => sum + failedCalls, 0),
        rounds: all.flatMap(({ rounds }) => rounds),
      };
    }),
  );
}
