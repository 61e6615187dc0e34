// Ends a stream when its call ends, so that no reader waits for a writer that has stopped.

/**
 * The values of `source` until it ends. If the signal aborts first, reading rejects with the signal's reason at once and calls the source's
 * `return` without waiting for it. A reader that stops early also stops the source.
 */
export async function* untilEnded<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  // One listener for all values: racing each value against one promise would keep memory for every value until the end.
  let end: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => end?.(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const next = (): Promise<IteratorResult<T, unknown>> =>
    new Promise((resolve, reject) => {
      end = reject;
      if (signal.aborted) onAbort();
      else iterator.next().then(resolve, reject);
    });
  let isOver = false;
  try {
    for (let result = await next(); result.done !== true; result = await next()) yield result.value;
    isOver = true;
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!isOver) iterator.return?.().catch(() => undefined);
  }
}
