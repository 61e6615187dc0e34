// The calls of one round as k6 made them, each at the place that the plan has for it: what is lost, and what came twice, shows at once.
import { K6Error } from "../k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";

/** One call as an instance told it. */
export interface ToldCall {
  readonly cell: number;
  readonly task: number;
  readonly step: number;
  /** When it was sent, in milliseconds from T0. */
  readonly atMs: number;
  /** When it was to be sent, where only the script knows that; NaN elsewhere. */
  readonly dueMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  readonly instance: number;
  /** Whether a connection was opened for it. */
  readonly opened: boolean;
  /** What its answer told of its server's time; NaN where it told none. */
  readonly queueMs: number;
  readonly serviceMs: number;
}

/** Sums of one cell beside its calls. */
export interface CellSums {
  /** Of the tasks that are counted, timed or not: those whose bytes stand apart from a connection's begin. */
  bytesSent: number;
  bytesReceived: number;
  countedTasks: number;
  /** Calls that were told more than once. */
  doubled: number;
}

/** More outcomes than there are codes are none. */
const mostOutcomes = 64;

/** How many calls a task of each cell makes, in the order of the plan. Throws a K6Error `unreadable` for a cell of no arm. */
export function callsPerTask({ arms, cells }: Pick<K6Plan, "arms" | "cells">): readonly number[] {
  const stepsOf = new Map(arms.map(({ facts, steps }) => [facts.id, steps.length]));
  return cells.map(({ name, armId }) => {
    const steps = stepsOf.get(armId);
    if (steps === undefined)
      throw new K6Error("unreadable", `the plan's cell ${name} is of an arm that it does not have`);
    return steps;
  });
}

export class CallBook {
  /** Where the calls of each cell begin; task by task, and step by step in each. */
  readonly offsets: readonly number[];
  readonly sums: readonly CellSums[];
  /** Calls of a task, for each cell. */
  readonly steps: readonly number[];
  /** The first is OK. */
  readonly outcomes: string[] = ["OK"];
  /** NaN for a call that was not told. */
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

  /** Notes a call, whose cell, task and step are in the plan. The first that is told counts. Throws a RangeError for more outcomes than there can be. */
  note({ cell, task, step, ...told }: ToldCall): void {
    const at = (this.offsets[cell] ?? 0) + task * (this.steps[cell] ?? 1) + step;
    if (!Number.isNaN(this.atMs[at])) {
      (this.sums[cell] as CellSums).doubled += 1;
      return;
    }
    this.atMs[at] = told.atMs;
    this.dueMs[at] = told.dueMs;
    this.durationMs[at] = told.durationMs;
    this.outcome[at] = this.#placeOf(told.outcome);
    this.instance[at] = told.instance;
    this.opened[at] = told.opened ? 1 : 0;
    this.queueMs[at] = told.queueMs;
    this.serviceMs[at] = told.serviceMs;
  }

  #placeOf(outcome: string): number {
    const known = this.outcomes.indexOf(outcome);
    if (known !== -1) return known;
    if (this.outcomes.length === mostOutcomes) throw new RangeError(`there are more than ${mostOutcomes} outcomes`);
    return this.outcomes.push(outcome) - 1;
  }
}
