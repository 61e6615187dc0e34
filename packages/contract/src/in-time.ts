// A stream of requests has no end that a limit could be set to: what has a limit is how long each of them may take to come.
import { CallError } from "./call-error.ts";

/** A request, or the next of a stream, that did not come whole in time: DEADLINE_EXCEEDED, for which HTTP has the sharper 408. */
export class TooSlow extends CallError {
  constructor() {
    super("DEADLINE_EXCEEDED", "the request took too long to arrive");
  }
}

/** Time is looked at now and then: who is too slow hears it at the limit, or this share of it later. */
const ticks = 4;

/**
 * The same stream, which fails with {@link TooSlow} when somebody waits for its next item for longer than `maxMs`. While nobody asks for
 * one, because a handler takes its time, no time passes.
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
      // Where it still waits for what does not come, it ends with what it reads from.
      source.return(undefined).catch(() => {});
    }
  }
  return timed();
}
