// Limits concurrent work, and gives up waiting for it.
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs work in the order of its calls, whether it fails or not, at most `most` at a time. */
export function limitConcurrency(most: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = most;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Resolves to true when the work is done, or to false as soon as the signal aborts. Later results of the work are ignored. */
export async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<false>();
  const onAbort = (): void => resolve(false);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted, work.then(() => true)]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => undefined);
  }
}
