// The pieces in which a request arrives: what they hold in memory until they are passed on, and whether they are so small that receiving them takes much
// longer than their bytes deserve. No client sends such requests.
import type { HeldMemory } from "@roundtrip/contract";

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

/** Counts the pieces of one request. */
export class ReceivedPieces {
  readonly #memory: HeldMemory;
  readonly #leastPieceBytes: number;
  #pieces = 0;
  #receivedBytes = 0;
  #waitingBytes = 0;
  #heldBytes = 0;

  /** @param least what the pieces have on average, in bytes */
  constructor(memory: HeldMemory, least: number) {
    this.#memory = memory;
    this.#leastPieceBytes = least;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Why no more of the request may be kept: the pieces are too small, or too much memory is held. Undefined while it may go on. */
  add(bytes: number): "pieces" | "memory" | undefined {
    this.#pieces += 1;
    this.#receivedBytes += bytes;
    if (this.#pieces > freePieces && this.#receivedBytes < this.#pieces * this.#leastPieceBytes) return "pieces";
    if (!this.hold(bytes < smallPieceBytes ? bytes + pieceBytes : bytes)) return "memory";
    this.#waitingBytes += bytes;
    return undefined;
  }

  /** Holds memory beside that of the pieces. Returns false, and holds nothing, if that were too much. */
  hold(bytes: number): boolean {
    if (!this.#memory.take(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /** Everything has been passed on but for the last so many bytes. */
  keep(bytes: number): void {
    if (bytes >= this.#waitingBytes) return;
    const held = Math.ceil((this.#heldBytes * bytes) / this.#waitingBytes);
    this.#memory.giveBack(this.#heldBytes - held);
    this.#heldBytes = held;
    this.#waitingBytes = bytes;
  }

  end(): void {
    this.#memory.giveBack(this.#heldBytes);
    this.#heldBytes = 0;
    this.#waitingBytes = 0;
  }
}
