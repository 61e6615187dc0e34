// Takes the points of one instance into the book of its round.
import type { K6Plan } from "../plan/k6-plan.ts";
import type { CallBook } from "./call-book.ts";
import { plainText } from "./plain-text.ts";
import type { Point } from "./point.ts";

/** Canonical codes, and the runner's own words for calls that were not sent. */
const outcomeForm = /^[A-Z][A-Z_]{1,31}$/;

/** A day: nothing that is measured takes longer. */
const mostMs = 86_400_000;

function quoted(text: string | undefined): string {
  return text === undefined ? "nothing" : `"${plainText(text)}"`;
}

function wholeNumber(text: string | undefined, below: number, what: string): number {
  const number = text === undefined || !/^\d{1,9}$/.test(text) ? Number.NaN : Number(text);
  if (number < below) return number;
  throw new SyntaxError(`${quoted(text)} is no ${what} of the cell`);
}

/** @param text undefined where the point does not tell it */
function moment(text: string | undefined, what: string): number {
  const ms = text === undefined || text === "" ? Number.NaN : Number(text);
  if (Math.abs(ms) <= mostMs) return ms;
  throw new SyntaxError(`a call without a time: ${quoted(text)} is no ${what}`);
}

function momentOrNone(text: string | undefined, what: string): number {
  return text === undefined ? Number.NaN : moment(text, what);
}

export class PointReader {
  readonly #plan: K6Plan;
  readonly #book: CallBook;
  readonly #instance: number;
  readonly #cells: ReadonlyMap<string, number>;

  /** @param instance its place among those of the round. */
  constructor(plan: K6Plan, book: CallBook, instance: number) {
    this.#plan = plan;
    this.#book = book;
    this.#instance = instance;
    this.#cells = new Map(plan.cells.map(({ name }, index) => [name, index]));
  }

  /** Takes what is of a cell; other points say nothing of a call. Throws a SyntaxError, or a RangeError, for a call that cannot be. */
  take(point: Point): void {
    const { metric, value, tags, metadata } = point;
    const { scenario = "" } = tags;
    const cell = this.#cells.get(scenario);
    if (metric === "roundtrip_call") {
      if (cell === undefined) throw new SyntaxError(`the plan has no cell ${quoted(scenario)}`);
      this.#takeCall(point, cell);
      return;
    }
    const sums = cell === undefined ? undefined : this.#book.sums[cell];
    // k6 tells bytes by the iteration; one that has an untimed task says of how many tasks its bytes are: of none where a connection's begin is in them.
    const { tasks = "1" } = metadata;
    if (sums === undefined || tasks === "0") return;
    if (metric === "data_sent") {
      sums.bytesSent += value;
      sums.countedTasks += wholeNumber(tasks, 3, "number of tasks");
    } else if (metric === "data_received") sums.bytesReceived += value;
  }

  #takeCall({ value, tags, metadata }: Point, cell: number): void {
    const { outcome = "" } = tags;
    if (!outcomeForm.test(outcome)) throw new SyntaxError(`${quoted(outcome)} is no outcome of a call`);
    if (!(value >= 0 && value <= mostMs)) throw new SyntaxError(`a call cannot have taken ${value} ms`);
    this.#book.note({
      cell,
      task: wholeNumber(metadata["task"], this.#plan.cells[cell]?.tasks ?? 0, "task"),
      step: wholeNumber(metadata["step"], this.#book.steps[cell] ?? 0, "step"),
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
