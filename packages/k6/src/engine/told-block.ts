// One cell as a run keeps blocks: its calls in the order in which they ended, on the clock of its round.
import { blankCalls, type ToldBlock } from "@roundtrip/runner/parts";
import type { K6Plan } from "../plan/k6-plan.ts";
import type { CallBook } from "../results/call-book.ts";
import type { DoneRound } from "../results/read-results.ts";

/** What became of a cell. `none`: it was not begun. `void`: calls of it are lost, or were made twice, so that it has nothing to tell. */
export type CellVerdict = { readonly kind: "whole" | "none" } | { readonly kind: "void"; readonly why: string };

function places(calls: CallBook, { cells }: K6Plan, cell: number): { readonly from: number; readonly to: number } {
  const from = calls.offsets[cell] ?? 0;
  return { from, to: from + (cells[cell]?.tasks ?? 0) * (calls.steps[cell] ?? 0) };
}

/** Judges a cell by whether each of its calls was made once. */
export function judgeCell({ plan, calls }: Pick<DoneRound, "plan" | "calls">, cell: number): CellVerdict {
  const { from, to } = places(calls, plan, cell);
  const told = calls.atMs.subarray(from, to).reduce((sum, atMs) => sum + (Number.isNaN(atMs) ? 0 : 1), 0);
  const doubled = calls.sums[cell]?.doubled ?? 0;
  if (told === 0) return { kind: "none" };
  const all = (to - from).toLocaleString("en-US");
  if (doubled > 0) return { kind: "void", why: `${doubled.toLocaleString("en-US")} of ${all} calls were made twice` };
  if (told < to - from)
    return { kind: "void", why: `${(to - from - told).toLocaleString("en-US")} of ${all} calls are missing` };
  return { kind: "whole" };
}

/** When each call of a task was to begin, from T0; NaN for those that follow others, or have no schedule. */
function intendedOf({ arms, cells }: K6Plan, cell: number): (task: number, step: number, dueMs: number) => number {
  const { armId = "", beginsMs = 0, arrivalsMs = null } = cells[cell] ?? {};
  const first = new Set(arms.find(({ facts }) => facts.id === armId)?.sets[0]);
  return (task, step, dueMs) => {
    if (!first.has(step)) return Number.NaN;
    return arrivalsMs === null ? dueMs : beginsMs + (arrivalsMs[task] ?? Number.NaN);
  };
}

/** Bytes of this cell's calls: all its tasks at what those moved that are counted. Null where none is. */
function bytesOf(
  { plan, calls }: DoneRound,
  cell: number,
): { readonly sent: number; readonly received: number } | null {
  const { bytesSent = 0, bytesReceived = 0, countedTasks = 0 } = calls.sums[cell] ?? {};
  if (countedTasks === 0) return null;
  const times = (plan.cells[cell]?.tasks ?? 0) / countedTasks;
  return { sent: Math.round(bytesSent * times), received: Math.round(bytesReceived * times) };
}

/** Splits a sum into whole parts that are as equal as they can be: k6 tells bytes by the task, and not by the call. */
function spread(sum: number, parts: number): Float64Array {
  return Float64Array.from(
    { length: parts },
    (_, part) => Math.floor(((part + 1) * sum) / parts) - Math.floor((part * sum) / parts),
  );
}

/** Processor time of all instances together while a cell lasted, and how many cores they had for it. */
export interface ClientCpu {
  readonly ms: number;
  readonly cores: number;
}

/** @param client null where the instances ran elsewhere */
export function toldBlock(round: DoneRound, cell: number, client: ClientCpu | null): ToldBlock {
  const { plan, t0Ms, calls } = round;
  const { from, to } = places(calls, plan, cell);
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
