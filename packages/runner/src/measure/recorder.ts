// Records calls: one row per call, in buffers that are allocated before a block begins, so that writing a row
// allocates nothing while the clock runs.
import { blankCalls, copyOfCalls, partialColumns, type RecordedCalls } from "./recorded-calls.ts";

/** Rows are written in the order in which calls end. */
export class Recorder {
  readonly #rows: RecordedCalls;
  #length = 0;
  #callsBefore = 0;
  #messages = 0;
  #bytesWritten = 0;
  #bytesRead = 0;

  /** @param capacity calls of the largest block. */
  constructor(capacity: number) {
    this.#rows = blankCalls(capacity);
  }

  /** Starts a block: forgets the rows of the block before. @param bytesWritten of the client's sockets so far, as `bytesRead`: rows count from there. */
  begin(bytesWritten = 0, bytesRead = 0): void {
    this.#callsBefore += this.#length;
    // Here and not with each call: only calls at a pace, of streams, or with times in their answers write these columns.
    for (const name of partialColumns) this.#rows[name].fill(Number.NaN, 0, this.#length);
    this.#length = 0;
    this.#bytesWritten = bytesWritten;
    this.#bytesRead = bytesRead;
  }

  /** Notes one call and gives back its row, which is whole with {@link noteEnd}. */
  note(task: number, step: number, startedAtMs: number, endedAtMs: number): number {
    const at = this.#length;
    const rows = this.#rows;
    rows.task[at] = task;
    rows.step[at] = step;
    rows.startedAtMs[at] = startedAtMs;
    rows.endedAtMs[at] = endedAtMs;
    this.#length = at + 1;
    return at;
  }

  /** Adds to a call's row how it ended. The byte counts are the totals of the client's sockets at this moment. */
  noteEnd(row: number, outcome: number, bytesWritten: number, bytesRead: number): void {
    const rows = this.#rows;
    rows.outcome[row] = outcome;
    rows.requestBytes[row] = bytesWritten - this.#bytesWritten;
    rows.responseBytes[row] = bytesRead - this.#bytesRead;
    this.#bytesWritten = bytesWritten;
    this.#bytesRead = bytesRead;
  }

  /** Adds to a call's row when it was to begin. */
  noteIntended(row: number, intendedAtMs: number): void {
    this.#rows.intendedAtMs[row] = intendedAtMs;
  }

  /** Adds the times of its stream of answers to a call's row. @param firstByteAtMs NaN if no message came; then there are no pauses either. */
  noteStream(row: number, firstByteAtMs: number, pauses: number): void {
    this.#rows.firstByteAtMs[row] = firstByteAtMs;
    this.#rows.pauses[row] = Number.isNaN(firstByteAtMs) ? Number.NaN : pauses;
  }

  /** Adds the server's times to a call's row. */
  noteReported(row: number, queueMs: number, serviceMs: number): void {
    this.#rows.queueMs[row] = queueMs;
    this.#rows.serviceMs[row] = serviceMs;
  }

  /** A message of a stream came or went. */
  noticeMessage(): void {
    this.#messages += 1;
  }

  /** Calls that have ended and messages of streams that came and went so far, in this block and all before it. */
  get progress(): number {
    return this.#callsBefore + this.#length + this.#messages;
  }

  /** Copies of the block's rows; to be called after the clock has stopped. */
  rows(): RecordedCalls {
    return copyOfCalls(this.#rows, this.#length);
  }
}
