// The client's notebook: one row per call, in buffers that are laid out before a block begins, so that writing a row
// allocates nothing while the clock runs.

/** The rows of one block in columns. Times are milliseconds of `performance.now()` in the client. */
export interface Rows {
  readonly task: Uint32Array;
  readonly step: Uint32Array;
  /** When the call was to begin; NaN where it was intended when it was made. */
  readonly intendedAtMs: Float64Array;
  readonly startedAtMs: Float64Array;
  readonly endedAtMs: Float64Array;
  /** Index into the block's outcomes; 0 is OK. */
  readonly outcome: Uint8Array;
  /** Bytes that left and reached the client's sockets since the row before. */
  readonly requestBytes: Float64Array;
  readonly responseBytes: Float64Array;
  /** When the first message of a stream of answers came; NaN for other calls, and when none came. */
  readonly firstByteAtMs: Float64Array;
  /** Times that a stream of answers paused. */
  readonly pauses: Uint32Array;
  /** What the answer told of its server's time; NaN for calls whose answers tell none. */
  readonly queueMs: Float64Array;
  readonly serviceMs: Float64Array;
}

function columns(capacity: number): Rows {
  return {
    task: new Uint32Array(capacity),
    step: new Uint32Array(capacity),
    intendedAtMs: new Float64Array(capacity).fill(Number.NaN),
    startedAtMs: new Float64Array(capacity),
    endedAtMs: new Float64Array(capacity),
    outcome: new Uint8Array(capacity),
    requestBytes: new Float64Array(capacity),
    responseBytes: new Float64Array(capacity),
    firstByteAtMs: new Float64Array(capacity).fill(Number.NaN),
    pauses: new Uint32Array(capacity),
    queueMs: new Float64Array(capacity).fill(Number.NaN),
    serviceMs: new Float64Array(capacity).fill(Number.NaN),
  };
}

/** Rows are written in the order in which calls end. */
export class Recorder {
  readonly #rows: Rows;
  #length = 0;
  #callsBefore = 0;
  #messages = 0;
  #bytesWritten = 0;
  #bytesRead = 0;

  /** @param capacity calls of the largest block. */
  constructor(capacity: number) {
    this.#rows = columns(capacity);
  }

  /** Starts a block: forgets the rows of the block before. @param bytesWritten of the client's sockets so far, as `bytesRead`: rows count from there. */
  begin(bytesWritten = 0, bytesRead = 0): void {
    this.#callsBefore += this.#length;
    // Here and not with each call: only calls at a pace, that stream, or whose answers tell times write these columns.
    this.#rows.intendedAtMs.fill(Number.NaN, 0, this.#length);
    this.#rows.firstByteAtMs.fill(Number.NaN, 0, this.#length);
    this.#rows.pauses.fill(0, 0, this.#length);
    this.#rows.queueMs.fill(Number.NaN, 0, this.#length);
    this.#rows.serviceMs.fill(Number.NaN, 0, this.#length);
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

  /** Adds to a call's row what is known of its stream of answers. */
  noteStream(row: number, firstByteAtMs: number, pauses: number): void {
    this.#rows.firstByteAtMs[row] = firstByteAtMs;
    this.#rows.pauses[row] = pauses;
  }

  /** Adds to a call's row what its answer told. */
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
  rows(): Rows {
    const end = this.#length;
    return {
      task: this.#rows.task.slice(0, end),
      step: this.#rows.step.slice(0, end),
      intendedAtMs: this.#rows.intendedAtMs.slice(0, end),
      startedAtMs: this.#rows.startedAtMs.slice(0, end),
      endedAtMs: this.#rows.endedAtMs.slice(0, end),
      outcome: this.#rows.outcome.slice(0, end),
      requestBytes: this.#rows.requestBytes.slice(0, end),
      responseBytes: this.#rows.responseBytes.slice(0, end),
      firstByteAtMs: this.#rows.firstByteAtMs.slice(0, end),
      pauses: this.#rows.pauses.slice(0, end),
      queueMs: this.#rows.queueMs.slice(0, end),
      serviceMs: this.#rows.serviceMs.slice(0, end),
    };
  }
}
