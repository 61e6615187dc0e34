// Turns the calls of a round into blocks of a run. Complete cells are kept; the others become events.
import type { CompletedRound } from "../results/read-results.ts";
import { type ReportedBlock, type RoundLog } from "@roundtrip/runner/parts";
import { blankCalls } from "@roundtrip/runs/call-columns";
import type { K6Plan } from "../plan/k6-plan.ts";
import type { CallTable } from "../results/call-table.ts";
import type { ProcessEvidence, RunEvent, VoidCalls } from "@roundtrip/runs";

/** The lower median of at least one value: one delayed cell does not change it. */
function lowerMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

interface StartSkew {
  readonly skewMs: number;
  /** The segments of the instances that began first and last. */
  readonly first: string;
  readonly last: string;
}

/** Undefined unless at least two instances made calls. */
export function startSkew({ plan, calls, instances }: CompletedRound): StartSkew | undefined {
  const lateness: number[][] = instances.map(() => []);
  for (const [index, { beginsMs, arrivalsMs, pausesMs, tasks }] of plan.cells.entries()) {
    if (pausesMs !== null) continue;
    const steps = calls.steps[index] ?? 1;
    const offset = calls.offsets[index] ?? 0;
    const least = instances.map(() => Number.POSITIVE_INFINITY);
    for (let task = 0; task < tasks; task += 1) {
      const at = offset + task * steps;
      const atMs = calls.atMs[at] ?? Number.NaN;
      const instance = calls.instance[at] ?? 0;
      const lateMs = atMs - beginsMs - (arrivalsMs?.[task] ?? 0);
      if (lateMs < (least[instance] ?? 0)) least[instance] = lateMs;
    }
    least.forEach((lateMs, instance) => {
      if (Number.isFinite(lateMs)) lateness[instance]?.push(lateMs);
    });
  }
  const begun = lateness.flatMap((values, instance) =>
    values.length === 0 ? [] : [{ segment: instances[instance]?.segment ?? "", lateMs: lowerMedian(values) }],
  );
  const ordered = begun.toSorted((one, other) => one.lateMs - other.lateMs);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined || ordered.length < 2) return undefined;
  return { skewMs: last.lateMs - first.lateMs, first: first.segment, last: last.segment };
}

/** How far apart instances may begin before the arrivals of a round differ from its schedule. */
const mostSkewMs = 50;

/** The event if the calls of a round do not follow one schedule; undefined if they do, or if it is unknown. */
function apartEvent(done: CompletedRound): RunEvent | undefined {
  const starts = startSkew(done);
  if (starts === undefined || starts.skewMs <= mostSkewMs) return undefined;
  return { kind: "instances-apart", round: done.plan.round, ...starts };
}

/** The state of a cell. `none`: it did not begin. `void`: calls are missing, or were made twice. */
export type CellVerdict =
  | { readonly kind: "whole" | "none" }
  | ({ readonly kind: "void" } & Pick<VoidCalls, "calls" | "missing" | "doubled">);

function rangeOf(calls: CallTable, { cells }: K6Plan, cell: number): { readonly from: number; readonly to: number } {
  const from = calls.offsets[cell] ?? 0;
  return { from, to: from + (cells[cell]?.tasks ?? 0) * (calls.steps[cell] ?? 0) };
}

/** Checks whether each call of a cell was made once. */
export function judgeCell({ plan, calls }: Pick<CompletedRound, "plan" | "calls">, cell: number): CellVerdict {
  const { from, to } = rangeOf(calls, plan, cell);
  const made = calls.atMs.subarray(from, to).reduce((sum, atMs) => sum + (Number.isNaN(atMs) ? 0 : 1), 0);
  const doubled = calls.sums[cell]?.doubled ?? 0;
  if (made === 0) return { kind: "none" };
  const missing = to - from - made;
  return doubled > 0 || missing > 0 ? { kind: "void", calls: to - from, missing, doubled } : { kind: "whole" };
}

/** When each call of a task was due, from T0; NaN for calls that follow others, or have no schedule. */
function intendedOf({ arms, cells }: K6Plan, cell: number): (task: number, step: number, dueMs: number) => number {
  const { armId = "", beginsMs = 0, arrivalsMs = null } = cells[cell] ?? {};
  const first = new Set(arms.find(({ facts }) => facts.id === armId)?.sets[0]);
  return (task, step, dueMs) => {
    if (!first.has(step)) return Number.NaN;
    return arrivalsMs === null ? dueMs : beginsMs + (arrivalsMs[task] ?? Number.NaN);
  };
}

/** The bytes of a cell's calls, extrapolated from the tasks whose bytes are counted; null if there are no such tasks. */
function bytesOf(
  { plan, calls }: CompletedRound,
  cell: number,
): { readonly sent: number; readonly received: number } | null {
  const { bytesSent = 0, bytesReceived = 0, countedTasks = 0 } = calls.sums[cell] ?? {};
  if (countedTasks === 0) return null;
  const times = (plan.cells[cell]?.tasks ?? 0) / countedTasks;
  return { sent: Math.round(bytesSent * times), received: Math.round(bytesReceived * times) };
}

/** Splits a sum into whole parts as equally as possible: k6 reports bytes by task, not by call. */
function spread(sum: number, parts: number): Float64Array {
  return Float64Array.from(
    { length: parts },
    (_, part) => Math.floor(((part + 1) * sum) / parts) - Math.floor((part * sum) / parts),
  );
}

/** CPU time of all instances in a cell, and the number of cores that they shared. */
export interface ClientCpu {
  readonly ms: number;
  readonly cores: number;
}

/** @param client null if the instances ran elsewhere */
export function reportedBlock(round: CompletedRound, cell: number, client: ClientCpu | null): ReportedBlock {
  const { plan, t0Ms, calls } = round;
  const { from, to } = rangeOf(calls, plan, cell);
  const steps = calls.steps[cell] ?? 1;
  const endOf = (at: number): number => (calls.atMs[at] ?? 0) + (calls.durationMs[at] ?? 0);
  const order = Uint32Array.from({ length: to - from }, (_, index) => from + index).toSorted(
    (one, other) => endOf(one) - endOf(other),
  );
  const intended = intendedOf(plan, cell);
  const bytes = bytesOf(round, cell);
  const length = order.length;
  const column = (valueOf: (at: number) => number): Float64Array => Float64Array.from(order, valueOf);
  const taskOf = (at: number): number => Math.floor((at - from) / steps);
  const stepOf = (at: number): number => (at - from) % steps;
  const startedAtMs = column((at) => calls.atMs[at] ?? 0);
  const endedAtMs = column(endOf);
  const elapsedMs =
    (endedAtMs.at(-1) ?? 0) - startedAtMs.reduce((low, at) => Math.min(low, at), Number.POSITIVE_INFINITY);
  return {
    rows: {
      ...blankCalls(length),
      task: Uint32Array.from(order, taskOf),
      step: Uint32Array.from(order, stepOf),
      intendedAtMs: column((at) => intended(taskOf(at), stepOf(at), calls.dueMs[at] ?? Number.NaN)),
      startedAtMs,
      endedAtMs,
      outcome: Uint8Array.from(order, (at) => calls.outcome[at] ?? 0),
      requestBytes: spread(bytes?.sent ?? 0, length),
      responseBytes: spread(bytes?.received ?? 0, length),
      queueMs: column((at) => calls.queueMs[at] ?? Number.NaN),
      serviceMs: column((at) => calls.serviceMs[at] ?? Number.NaN),
    },
    outcomes: calls.outcomes,
    timeOriginMs: t0Ms,
    elapsedMs,
    clientCpuMs: client && client.ms,
    ...(client === null || elapsedMs <= 0
      ? {}
      : { clientUtilisation: Math.min(client.ms / (client.cores * elapsedMs), 1) }),
    wireBytes: bytes && bytes.sent + bytes.received,
    connectionsOpened: calls.opened.subarray(from, to).reduce((sum, one) => sum + one, 0),
  };
}

/** CPU time and process evidence of a cell, as the runner measured them. */
export interface CellUsage {
  readonly serverCpuMs: number | null;
  readonly clientCpu: ClientCpu | null;
  readonly server: ProcessEvidence | undefined;
}

export const noEvidence: CellUsage = { serverCpuMs: null, clientCpu: null, server: undefined };

export interface LoggedRound {
  /** The cells that are kept, by their indexes in the plan, and how long their calls took. */
  readonly whole: readonly { readonly cell: number; readonly elapsedMs: number }[];
  readonly events: readonly RunEvent[];
}

/** Adds the complete cells to the log. @param evidenceOf gives undefined for a cell to leave out */
export function logRound(
  done: CompletedRound,
  log: RoundLog,
  evidenceOf: (cell: number) => CellUsage | undefined,
): LoggedRound {
  const { cells, round } = done.plan;
  const apart = apartEvent(done);
  if (apart !== undefined) return { whole: [], events: [apart] };
  const whole: { readonly cell: number; readonly elapsedMs: number }[] = [];
  const blocks: VoidCalls[] = [];
  for (const [index, { armId, block, tasks }] of cells.entries()) {
    const evidence = evidenceOf(index);
    const verdict = judgeCell(done, index);
    if (evidence === undefined || verdict.kind === "none") continue;
    if (verdict.kind === "void") {
      const { calls, missing, doubled } = verdict;
      blocks.push({ armId, calls, missing, doubled });
      continue;
    }
    const { serverCpuMs, clientCpu, server } = evidence;
    const reported = reportedBlock(done, index, clientCpu);
    log.addBlock({ armId, block, tasks, serverCpuMs, server, tcp: undefined }, reported);
    whole.push({ cell: index, elapsedMs: reported.elapsedMs });
  }
  return { whole, events: blocks.length === 0 ? [] : [{ kind: "void-calls", round, blocks }] };
}
