// How much goes out of an answer that is cut.

/** Enough to be in the middle of any answer, and little enough to go out at once whatever the caller takes. */
const mostBytes = 16 * 1024;

/** The beginning of bytes: their first half, at most 16 KiB. Less than all of them, unless there are none. */
export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), mostBytes));
}

/** The first half of what is written; undefined for what cannot be: an answer that is cut need not have been one. */
export function firstHalfOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return firstHalf(write());
  } catch {
    return undefined;
  }
}
