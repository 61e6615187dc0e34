// The data that analysis keeps of a run's calls: tasks, bytes, arrivals of open loops, operations of mixes, and what single calls report. It is gathered
// in parts, so that only one part of a long run is in memory.
import type { Arm, Samples, RunFacts } from "@roundtrip/runs";
import { valuesBySlot, blockSlots, type BlockSlots } from "../calls/block-slots.ts";
import { joinTasks, tasksOf, type ArmTasks } from "../calls/tasks-of.ts";
import { joinRowValues, reportedMetrics, rowValues, streamMetrics, type RowValues } from "./metrics.ts";
import { sortInPlace } from "../statistics/describe-samples.ts";

export interface Traffic {
  readonly calls: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** In the order of the arms. */
function trafficOf(arms: readonly Arm[], samples: Samples): readonly Traffic[] {
  const sums = arms.map(() => ({ calls: 0, requestBytes: 0, responseBytes: 0 }));
  for (let row = 0; row < samples.length; row += 1) {
    const sum = sums[samples.arm[row] as number];
    if (sum === undefined) continue;
    sum.calls += 1;
    sum.requestBytes += samples.requestBytes[row] as number;
    sum.responseBytes += samples.responseBytes[row] as number;
  }
  return sums;
}

function joinTraffic(parts: readonly (readonly Traffic[])[]): readonly Traffic[] {
  const [first = []] = parts;
  return first.map((_, arm) => {
    const sum = (of: keyof Traffic): number => parts.reduce((total, part) => total + (part[arm]?.[of] ?? 0), 0);
    return { calls: sum("calls"), requestBytes: sum("requestBytes"), responseBytes: sum("responseBytes") };
  });
}

/** By arm: the intended starts of each block in milliseconds since the run's start, ascending. */
export type Arrivals = ReadonlyMap<string, readonly Float64Array[]>;

function arrivalsByArm(arms: readonly Arm[], samples: Samples, blocks: BlockSlots): Arrivals {
  const isOpen = arms.map(({ load }) => load?.loop === "open");
  if (!isOpen.includes(true)) return new Map();
  const moments = valuesBySlot(blocks, (row) =>
    // Later calls of a task start when earlier ones end. A task of a mix has one call, whichever step it is.
    isOpen[samples.arm[row] as number] === true &&
    (samples.step[row] === 0 || arms[samples.arm[row] as number]?.mix !== undefined)
      ? (samples.intendedAtNs[row] as number) / 1e6
      : Number.NaN,
  );
  const ofArm = Map.groupBy(moments, ({ slot }) => (arms[slot.arm] as Arm).id);
  // oxlint-disable-next-line no-array-sort -- these values are nobody else's
  return new Map([...ofArm].map(([id, some]) => [id, some.map(({ values }) => values.sort())]));
}

/** Joins the arrivals of parts of a run. Every block must be whole in one part. */
function joinArrivals(parts: readonly Arrivals[]): Arrivals {
  const joined = new Map<string, readonly Float64Array[]>();
  for (const part of parts) for (const [id, blocks] of part) joined.set(id, [...(joined.get(id) ?? []), ...blocks]);
  return joined;
}

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
function operationsOf(arms: readonly Arm[], samples: Samples): readonly (readonly OperationCalls[])[] {
  const growing = arms.map(
    ({ mix = [] }) =>
      new Map(
        mix.map((operation): [string, Growing] => [operation, { calls: 0, failedCalls: 0, latenciesMs: new Map() }]),
      ),
  );
  if (growing.every(({ size }) => size === 0)) return arms.map(() => []);
  for (let row = 0; row < samples.length; row += 1) {
    const arm = samples.arm[row] as number;
    const operationCalls = growing[arm]?.get(arms[arm]?.mix?.[samples.step[row] as number] ?? "");
    if (operationCalls === undefined) continue;
    operationCalls.calls += 1;
    if (samples.outcomes[samples.outcome[row] as number] !== "OK") {
      operationCalls.failedCalls += 1;
      continue;
    }
    const round = samples.round[row] as number;
    const latencyMs = ((samples.endedAtNs[row] as number) - (samples.intendedAtNs[row] as number)) / 1e6;
    const known = operationCalls.latenciesMs.get(round);
    if (known === undefined) operationCalls.latenciesMs.set(round, [latencyMs]);
    else known.push(latencyMs);
  }
  return growing.map((operations) =>
    [...operations].map(([operation, operationCalls]) => ended(operationCalls, operation)),
  );
}

/** Joins the calls of parts of a run. Every round must be whole in one part. */
function joinOperations(
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

/** Of all arms, in their order. */
export interface GatheredCalls {
  readonly length: number;
  readonly tasks: readonly ArmTasks[];
  readonly traffic: readonly Traffic[];
  /** What single calls report beside their latency. */
  readonly rowValues: readonly (readonly RowValues[])[];
  readonly arrivals: Arrivals;
  /** The operations of mixes; empty for other arms. */
  readonly operations: readonly (readonly OperationCalls[])[];
}

type Facts = Pick<RunFacts, "arms" | "blocks">;

/** Linear in the samples. Throws an AnalysisError for invalid samples. */
export function gatherCalls(facts: Facts, samples: Samples): GatheredCalls {
  const { arms } = facts;
  const blocks = blockSlots(arms, samples);
  return {
    length: samples.length,
    tasks: tasksOf(facts, samples, blocks),
    traffic: trafficOf(arms, samples),
    rowValues: rowValues(arms, samples, blocks, [...streamMetrics(samples), ...reportedMetrics(samples)]),
    arrivals: arrivalsByArm(arms, samples, blocks),
    operations: operationsOf(arms, samples),
  };
}

/** Returns what {@link gatherCalls} would return for all parts in one. @param parts at least one; every round must be whole in one part */
export function joinCalls(parts: readonly GatheredCalls[]): GatheredCalls {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    tasks: joinTasks(parts.map(({ tasks }) => tasks)),
    traffic: joinTraffic(parts.map(({ traffic }) => traffic)),
    rowValues: joinRowValues(parts.map(({ rowValues: values }) => values)),
    arrivals: joinArrivals(parts.map(({ arrivals }) => arrivals)),
    operations: joinOperations(parts.map(({ operations }) => operations)),
  };
}

/** @param parts at least one, as read from a run directory. */
export async function gatherParts(facts: Facts, parts: AsyncIterable<Samples>): Promise<GatheredCalls> {
  const gathered: GatheredCalls[] = [];
  for await (const part of parts) gathered.push(gatherCalls(facts, part));
  return joinCalls(gathered);
}
