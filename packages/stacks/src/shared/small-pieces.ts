// Requests in pieces that are so small that receiving them takes much longer than their bytes deserve. No client sends such requests.

/** A piece of fewer bytes takes more memory than its bytes. */
const smallPieceBytes = 1024;

/** The memory of a piece beside its bytes. */
const pieceBytes = 128;

/** So many pieces may be of any size. */
export const freePieces = 10_000;

/** What the pieces of a message have on average, in bytes. */
export const leastPieceBytes = 64;

/** What the pieces of a stream of messages have: each message has a prefix of five bytes. */
export const leastStreamPieceBytes = 3;

/** What a piece holds in memory while its message is not complete. */
export function bytesHeldBy(bytes: number): number {
  return bytes < smallPieceBytes ? bytes + pieceBytes : bytes;
}

/** Whether a request comes in too small pieces. */
export function areTooSmall(pieces: number, bytes: number, leastBytes: number): boolean {
  return pieces > freePieces && bytes < pieces * leastBytes;
}
