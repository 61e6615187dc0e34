// Turns of the event loop for work that a caller can make long: many messages of a stream, or large ones. Between two turns, other calls are read and
// answered. All streams and large requests of a process share the turns, one after another.

/** The time that streams work in one turn of the event loop, in milliseconds. */
export const sliceMs = 10;

/** The clock is read for one message of so many. */
const messagesPerLook = 32;

/** A piece of this size takes longer than a look at the clock. */
const largePieceBytes = 4 * 1024;

/** A request of this size or more is decoded in a turn of its own. */
export const largeRequestBytes = 64 * 1024;

/** A compressed request of this size or more is: it can be a thousand times as large when decompressed. */
export const largeCompressedBytes = 1024;

/** So many turns in a row go on with the same work; then others have one. */
const mostInARow = 4;

const waiting: (() => void)[] = [];
/** What goes on in the turn that has asked for it. */
const goingOn: (() => void)[] = [];
let inARow = 0;
let messages = 0;
let sliceEndsAtMs = 0;
let isScheduled = false;
/** The iteration of the event loop that has begun a turn. */
let turnLoop = -1;

// Tests of callers may replace the clock.
const { nodeTiming } = performance;

/** The number of the event loop's iteration. */
export function currentLoop(): number {
  return nodeTiming.uvMetricsInfo.loopCount;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    sliceEndsAtMs = performance.now() + sliceMs;
    turnLoop = currentLoop();
    const next = inARow < mostInARow || waiting.length === 0 ? goingOn.shift() : undefined;
    inARow = next === undefined ? 0 : inARow + 1;
    (next ?? waiting.shift())?.();
    if (waiting.length + goingOn.length > 0) schedule();
  });
}

function turnIn(queue: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    schedule();
  });
}

/** Resolves in a turn that belongs to the caller alone. What goes on in its turn is the next one: a request that is decompressed is also decoded. */
export function ownTurn(): Promise<void> {
  return turnIn(turnLoop === currentLoop() ? goingOn : waiting);
}

/**
 * Call this for each message or piece of a stream. Undefined while there is time in this turn; otherwise resolves in a later one, after those that wait.
 * @param bytes its size, if it may be large
 */
export function nextTurn(bytes = 0): Promise<void> | undefined {
  messages += 1;
  const isLook = bytes >= largePieceBytes || messages % messagesPerLook === 0;
  return isLook && performance.now() >= sliceEndsAtMs ? turnIn(waiting) : undefined;
}
