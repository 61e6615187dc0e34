// Limits the time until each request of a stream arrives. The stream itself has no time limit, because it may never end.
import { CallError } from "./call-error.ts";

/** A request that did not arrive completely in time: DEADLINE_EXCEEDED, or the more precise 408 in HTTP. */
export class TooSlow extends CallError {
  constructor() {
    super("DEADLINE_EXCEEDED", "the request took too long to arrive");
  }
}

/** The clock is checked in intervals of this share of the limit, so the error can come that much later. */
const ticks = 4;

/**
 * The same stream, which fails with {@link TooSlow} if a reader waits longer than `maxMs` for the next item. The time between reads does
 * not count.
 */
export function inTime<T>(source: AsyncGenerator<T>, maxMs: number): AsyncGenerator<T> {
  let waitingSince: number | undefined;
  let giveUp: ((error: TooSlow) => void) | undefined;
  const tick = setInterval(
    () => {
      if (waitingSince !== undefined && performance.now() - waitingSince >= maxMs) giveUp?.(new TooSlow());
    },
    Math.ceil(maxMs / ticks),
  ).unref();

  function next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      waitingSince = performance.now();
      giveUp = reject;
      source.next().then(resolve, reject);
    });
  }

  async function* timed(): AsyncGenerator<T> {
    try {
      for (;;) {
        const result = await next();
        waitingSince = undefined;
        if (result.done === true) return;
        yield result.value;
      }
    } finally {
      clearInterval(tick);
      // If the source still waits for an item, it ends when its own source ends.
      source.return(undefined).catch(() => {});
    }
  }
  return timed();
}
