// The part of an answer that is sent before its connection is cut.

/** Enough to be in the middle of any answer, and little enough to be sent at once, even if the caller does not read. */
const mostBytes = 16 * 1024;

/** The first half of bytes, at most 16 KiB. Less than all of them, unless empty. */
export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), mostBytes));
}

/** The first half of what is written; undefined if it cannot be written, because an answer that is cut may be invalid. */
export function firstHalfOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return firstHalf(write());
  } catch {
    return undefined;
  }
}
