// A stream that ends with its call: no reader waits for a writer that has nobody left to write for.

/**
 * The values of `source` until it is over. When the signal aborts first, reading rejects with the signal's reason at once, and the source
 * is told to stop (its `return` is called) without being waited for. A reader that stops early stops the source too.
 */
export async function* untilEnded<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  // One listener for all values: racing each of them against one promise would keep something of every value until the end.
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
