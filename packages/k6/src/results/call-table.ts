// The calls of one round, each at its position in the plan, so that missing and duplicate calls are found.
import type { K6Plan } from "../plan/k6-plan.ts";

export interface ReportedCall {
  readonly cell: number;
  readonly task: number;
  readonly step: number;
  /** When it was sent, in milliseconds from T0. */
  readonly atMs: number;
  /** When it was due, if only the script knows that; NaN otherwise. */
  readonly dueMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  readonly instance: number;
  /** Whether a connection was opened for it. */
  readonly opened: boolean;
  /** The server's times in its answer; NaN if it has none. */
  readonly queueMs: number;
  readonly serviceMs: number;
}

export interface CellSums {
  /** Sums over the counted tasks, timed or not: those whose bytes do not include opening a connection. */
  bytesSent: number;
  bytesReceived: number;
  countedTasks: number;
  /** Calls that were reported more than once. */
  doubled: number;
}

/** The calls per task of each cell, in the plan's order. */
function callsPerTask({ arms, cells }: Pick<K6Plan, "arms" | "cells">): readonly number[] {
  const stepsOf = new Map(arms.map(({ facts, steps }) => [facts.id, steps.length]));
  return cells.map(({ armId }) => stepsOf.get(armId) ?? 0);
}

export class CallTable {
  /** The index of each cell's first call. Calls are ordered by task, then by step. */
  readonly offsets: readonly number[];
  readonly sums: readonly CellSums[];
  /** Calls of a task, for each cell. */
  readonly steps: readonly number[];
  /** The first is OK. */
  readonly outcomes: string[] = ["OK"];
  /** NaN for a missing call. */
  readonly atMs: Float64Array;
  readonly dueMs: Float64Array;
  readonly durationMs: Float64Array;
  readonly outcome: Uint8Array;
  readonly instance: Uint16Array;
  readonly opened: Uint8Array;
  readonly queueMs: Float64Array;
  readonly serviceMs: Float64Array;

  constructor({ arms, cells }: Pick<K6Plan, "arms" | "cells">) {
    const offsets: number[] = [];
    let length = 0;
    this.steps = callsPerTask({ arms, cells });
    for (const [index, { tasks }] of cells.entries()) {
      offsets.push(length);
      length += tasks * (this.steps[index] ?? 0);
    }
    this.offsets = offsets;
    this.sums = cells.map(() => ({ bytesSent: 0, bytesReceived: 0, countedTasks: 0, doubled: 0 }));
    this.atMs = new Float64Array(length).fill(Number.NaN);
    this.dueMs = new Float64Array(length).fill(Number.NaN);
    this.durationMs = new Float64Array(length);
    this.outcome = new Uint8Array(length);
    this.instance = new Uint16Array(length);
    this.opened = new Uint8Array(length);
    this.queueMs = new Float64Array(length).fill(Number.NaN);
    this.serviceMs = new Float64Array(length).fill(Number.NaN);
  }

  /** Records a call whose cell, task and step are in the plan. The first report counts. */
  note({ cell, task, step, ...call }: ReportedCall): void {
    const at = (this.offsets[cell] ?? 0) + task * (this.steps[cell] ?? 1) + step;
    if (!Number.isNaN(this.atMs[at])) {
      (this.sums[cell] as CellSums).doubled += 1;
      return;
    }
    this.atMs[at] = call.atMs;
    this.dueMs[at] = call.dueMs;
    this.durationMs[at] = call.durationMs;
    this.outcome[at] = this.#indexOf(call.outcome);
    this.instance[at] = call.instance;
    this.opened[at] = call.opened ? 1 : 0;
    this.queueMs[at] = call.queueMs;
    this.serviceMs[at] = call.serviceMs;
  }

  #indexOf(outcome: string): number {
    const known = this.outcomes.indexOf(outcome);
    if (known !== -1) return known;
    return this.outcomes.push(outcome) - 1;
  }
}
