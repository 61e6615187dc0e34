// Waits for a time, unless it is aborted.

/** Whether this time is long enough for a timer. */
export function isWaitable(ms: number): boolean {
  return ms >= 0.5;
}

/**
 * Resolves after this time, in whole milliseconds as timers count. Rejects with the signal's reason as soon as it aborts, and leaves no timer
 * running.
 */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, Math.round(ms));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
