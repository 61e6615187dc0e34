// Records calls: one row per call, in buffers that are allocated before a block begins, so that writing a row allocates nothing while the clock runs.
import { blankCalls, partialColumns, type RecordedCalls } from "@roundtrip/runs/call-columns";

function copyOfCalls(calls: RecordedCalls, length: number): RecordedCalls {
  const columns = Object.entries(calls).map(([name, column]) => [name, column.slice(0, length)]);
  return Object.fromEntries(columns);
}

/** Rows are in the order in which calls end. */
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

  /** Starts a block and drops earlier rows. @param bytesWritten of the client's sockets so far, like `bytesRead`: rows count from there. */
  begin(bytesWritten = 0, bytesRead = 0): void {
    this.#callsBefore += this.#length;
    // Once per block, because only calls at a pace, of streams, or with times in their answers write these columns.
    for (const name of partialColumns) this.#rows[name].fill(Number.NaN, 0, this.#length);
    this.#length = 0;
    this.#bytesWritten = bytesWritten;
    this.#bytesRead = bytesRead;
  }

  /** Records one call and returns its row, which {@link recordEnd} completes. */
  record(task: number, step: number, startedAtMs: number, endedAtMs: number): number {
    const at = this.#length;
    const rows = this.#rows;
    rows.task[at] = task;
    rows.step[at] = step;
    rows.startedAtMs[at] = startedAtMs;
    rows.endedAtMs[at] = endedAtMs;
    this.#length = at + 1;
    return at;
  }

  /** Completes a call's row. The byte counts are the current totals of the client's sockets. */
  recordEnd(row: number, outcome: number, bytesWritten: number, bytesRead: number): void {
    const rows = this.#rows;
    rows.outcome[row] = outcome;
    rows.requestBytes[row] = bytesWritten - this.#bytesWritten;
    rows.responseBytes[row] = bytesRead - this.#bytesRead;
    this.#bytesWritten = bytesWritten;
    this.#bytesRead = bytesRead;
  }

  recordIntended(row: number, intendedAtMs: number): void {
    this.#rows.intendedAtMs[row] = intendedAtMs;
  }

  /** Adds the times of a stream of answers to a call's row. @param firstByteAtMs NaN if no message came; then there are no pauses either. */
  recordStream(row: number, firstByteAtMs: number, pauses: number): void {
    this.#rows.firstByteAtMs[row] = firstByteAtMs;
    this.#rows.pauses[row] = Number.isNaN(firstByteAtMs) ? Number.NaN : pauses;
  }

  recordReported(row: number, queueMs: number, serviceMs: number): void {
    this.#rows.queueMs[row] = queueMs;
    this.#rows.serviceMs[row] = serviceMs;
  }

  /** Counts a sent or received message of a stream. */
  countMessage(): void {
    this.#messages += 1;
  }

  /** Ended calls, and messages of streams, in this block and all before it. */
  get progress(): number {
    return this.#callsBefore + this.#length + this.#messages;
  }

  /** Copies of the block's rows; to be called after the clock has stopped. */
  rows(): RecordedCalls {
    return copyOfCalls(this.#rows, this.#length);
  }
}
