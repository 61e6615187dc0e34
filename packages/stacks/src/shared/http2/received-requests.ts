// Counts what arrives of requests over HTTP/2 until it is passed to their calls, whichever library reads it. Flow control limits only what is on its way on
// one stream: with a thousand streams, that is gigabytes.
import { heldBy, type HeldMemory } from "@roundtrip/contract";
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { Duplex } from "node:stream";
import { areTooSmall, bytesHeldBy, leastPieceBytes, leastStreamPieceBytes } from "../small-pieces.ts";

const receivedOn = Symbol("the part of a request that no call has yet");

type CountedStream = ServerHttp2Stream & { [receivedOn]?: ReceivedRequest };

/** In place of `push`, which Node.js calls for each piece, even while the stream is paused. */
function countedPush(this: CountedStream, piece: Buffer | null, encoding?: BufferEncoding): boolean {
  if (piece !== null && this[receivedOn]?.add(piece.length) === false) return true;
  return Duplex.prototype.push.call(this, piece, encoding);
}

class ReceivedRequest {
  readonly #memory: HeldMemory;
  readonly #leastPieceBytes: number;
  readonly #refuse: () => void;
  #bytes = 0;
  #heldBytes = 0;
  #pieces = 0;
  #allBytes = 0;
  #isRefused = false;

  constructor(memory: HeldMemory, leastBytes: number, refuse: () => void) {
    this.#memory = memory;
    this.#leastPieceBytes = leastBytes;
    this.#refuse = refuse;
  }

  /** Returns false for a piece that must not be kept. */
  add(pieceBytes: number): boolean {
    if (this.#isRefused) return false;
    const bytes = bytesHeldBy(pieceBytes);
    this.#pieces += 1;
    this.#allBytes += pieceBytes;
    if (areTooSmall(this.#pieces, this.#allBytes, this.#leastPieceBytes) || !this.#memory.take(bytes)) {
      this.#isRefused = true;
      this.keep(0);
      this.#refuse();
      return false;
    }
    this.#bytes += pieceBytes;
    this.#heldBytes += bytes;
    return true;
  }

  /** The last so many bytes are still not passed on. */
  keep(bytes: number): void {
    if (bytes >= this.#bytes) return;
    const held = Math.ceil((this.#heldBytes * bytes) / this.#bytes);
    this.#memory.giveBack(this.#heldBytes - held);
    this.#heldBytes = held;
    this.#bytes = bytes;
  }
}

/** Counts what arrives on a stream. @param refuse answers and closes it when its connection or the process holds too much */
export function countReceived(
  stream: ServerHttp2Stream,
  { session, isStream }: { readonly session: ServerHttp2Session; readonly isStream: boolean },
  refuse: () => void,
): void {
  const leastBytes = isStream ? leastStreamPieceBytes : leastPieceBytes;
  const received = new ReceivedRequest(heldBy(session), leastBytes, refuse);
  if (stream.readableLength > 0) received.add(stream.readableLength);
  (stream as CountedStream)[receivedOn] = received;
  stream.push = countedPush;
}

/** Everything has been passed on but for so many bytes. Called when a stream closes, too. */
export function passedOnUntil(stream: object, bytes = 0): void {
  (stream as CountedStream)[receivedOn]?.keep(bytes);
}
