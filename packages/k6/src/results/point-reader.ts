// Adds the points of one instance to the table of its round.
import type { K6Plan } from "../plan/k6-plan.ts";
import type { CallTable } from "./call-table.ts";
import { plainText } from "./plain-text.ts";
import type { Point } from "./point.ts";

/** Canonical codes, and the runner's codes for calls that were not sent. */
const outcomeForm = /^[A-Z][A-Z_]{1,31}$/;

/** A day: no measurement takes longer. */
const mostMs = 86_400_000;

function quoted(text: string | undefined): string {
  return text === undefined ? "nothing" : `"${plainText(text)}"`;
}

function wholeNumber(text: string | undefined, below: number, what: string): number {
  const number = text === undefined || !/^\d{1,9}$/.test(text) ? Number.NaN : Number(text);
  if (number < below) return number;
  throw new SyntaxError(`${quoted(text)} is not a ${what} of the cell`);
}

/** @param text undefined if the point does not have it */
function moment(text: string | undefined, what: string): number {
  const ms = text === undefined || text === "" ? Number.NaN : Number(text);
  if (Math.abs(ms) <= mostMs) return ms;
  throw new SyntaxError(`a call without a time: ${quoted(text)} is not a ${what}`);
}

function momentOrNone(text: string | undefined, what: string): number {
  return text === undefined ? Number.NaN : moment(text, what);
}

export class PointReader {
  readonly #plan: K6Plan;
  readonly #table: CallTable;
  readonly #instance: number;
  readonly #cells: ReadonlyMap<string, number>;

  /** @param instance its index among those of the round. */
  constructor(plan: K6Plan, table: CallTable, instance: number) {
    this.#plan = plan;
    this.#table = table;
    this.#instance = instance;
    this.#cells = new Map(plan.cells.map(({ name }, index) => [name, index]));
  }

  /** Adds a point that belongs to a cell and ignores others. Throws a SyntaxError or a RangeError for an invalid call. */
  take(point: Point): void {
    const { metric, value, tags, metadata } = point;
    const { scenario = "" } = tags;
    const cell = this.#cells.get(scenario);
    if (metric === "roundtrip_call") {
      if (cell === undefined) throw new SyntaxError(`the plan has no cell ${quoted(scenario)}`);
      this.#takeCall(point, cell);
      return;
    }
    const sums = cell === undefined ? undefined : this.#table.sums[cell];
    // k6 reports bytes by iteration. The tag `tasks` says how many tasks they belong to; 0 if they include opening a connection.
    const { tasks = "1" } = metadata;
    if (sums === undefined || tasks === "0") return;
    if (metric === "data_sent") {
      sums.bytesSent += value;
      sums.countedTasks += wholeNumber(tasks, 3, "number of tasks");
    } else if (metric === "data_received") sums.bytesReceived += value;
  }

  #takeCall({ value, tags, metadata }: Point, cell: number): void {
    const { outcome = "" } = tags;
    if (!outcomeForm.test(outcome)) throw new SyntaxError(`${quoted(outcome)} is not an outcome of a call`);
    if (!(value >= 0 && value <= mostMs)) throw new SyntaxError(`a call cannot have taken ${value} ms`);
    this.#table.note({
      cell,
      task: wholeNumber(metadata["task"], this.#plan.cells[cell]?.tasks ?? 0, "task"),
      step: wholeNumber(metadata["step"], this.#table.steps[cell] ?? 0, "step"),
      atMs: moment(metadata["at"], "moment"),
      dueMs: momentOrNone(metadata["due"], "moment"),
      durationMs: value,
      outcome,
      instance: this.#instance,
      opened: metadata["opened"] === "1",
      queueMs: momentOrNone(metadata["queue"], "time"),
      serviceMs: momentOrNone(metadata["service"], "time"),
    });
  }
}
