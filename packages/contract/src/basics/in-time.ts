// Limits the time until each request of a stream arrives. The stream itself has no time limit, because it may never end.
import { CallError } from "./call-error.ts";

/** A request that did not arrive completely in time: DEADLINE_EXCEEDED, or the more precise 408 in HTTP. */
export class TooSlow extends CallError {
  constructor() {
    super("DEADLINE_EXCEEDED", "the request took too long to arrive");
  }
}

/**
 * The same stream, which fails with {@link TooSlow} if a reader waits longer than `maxMs` for the next item. The time between reads does
 * not count. There is a timer only while a reader waits: most streams that are refused are never read, and nobody ends them.
 */
export async function* inTime<T>(source: AsyncGenerator<T>, maxMs: number): AsyncGenerator<T> {
  let timer: NodeJS.Timeout | undefined;
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new TooSlow()), maxMs).unref();
      source.next().then(resolve, reject);
    });
  try {
    for (;;) {
      const result = await next();
      clearTimeout(timer);
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    clearTimeout(timer);
    // If the source still waits for an item, it ends when its own source ends.
    source.return(undefined).catch(() => {});
  }
}
