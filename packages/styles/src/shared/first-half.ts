// The part of an answer to send before its connection is cut.

/** Enough for the middle of any answer, but small enough to be sent at once, even if the caller does not read. */
const mostBytes = 16 * 1024;

/** The first half of bytes, at most 16 KiB, and never all of them unless empty. */
export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), mostBytes));
}

/** The first half of what `write` returns; undefined if it throws, because an answer that is cut may be invalid. */
export function firstHalfOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return firstHalf(write());
  } catch {
    return undefined;
  }
}
