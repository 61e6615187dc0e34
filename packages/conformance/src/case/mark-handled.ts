// Promises that a case starts now and awaits later.

/**
 * Marks a promise's rejection as handled and returns the promise. If a case fails before it awaits the promise, only the case fails; an
 * unhandled rejection would end the process.
 */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  // The promise itself still rejects when awaited.
  promise.catch(() => {});
  return promise;
}
