// Gives up on a server that no longer answers. Calls have no deadlines of their own, because a timer for each would be measured.
import { RunnerError } from "../basics/runner-error.ts";

const looksPerLimit = 10;

/**
 * Resolves with the work. Rejects with a RunnerError `no-answer` without progress for this long. @param progress calls and messages so far, polled.
 */
export async function unlessStalled<T>(work: Promise<T>, limitMs: number, progress: () => number): Promise<T> {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  let seen = progress();
  let looksWithout = 0;
  const timer = setInterval(() => {
    const now = progress();
    looksWithout = now === seen ? looksWithout + 1 : 0;
    seen = now;
    if (looksWithout < looksPerLimit) return;
    reject(new RunnerError("no-answer", `a call was not answered within ${limitMs / 1000} s`));
  }, limitMs / looksPerLimit);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearInterval(timer);
  }
}
