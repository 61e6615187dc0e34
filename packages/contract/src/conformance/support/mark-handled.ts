// Promises that a case starts now and awaits later.

/**
 * The same promise, whose rejection counts as heard: when a case fails before it gets to await this one, that is a failed case
 * and no unhandled rejection, which would end the whole process.
 */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  // The promise itself still rejects for whoever awaits it.
  promise.catch(() => {});
  return promise;
}
