// Time that passes before somebody goes on, unless nobody waits any more.

/** Whether a timer can tell this time from none. */
export function isWaitable(ms: number): boolean {
  return ms >= 0.5;
}

/**
 * Resolves after this time, in whole milliseconds, as timers have it. Rejects with the signal's reason as soon as it aborts, and leaves no timer
 * behind then.
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
