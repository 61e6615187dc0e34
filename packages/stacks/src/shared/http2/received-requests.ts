// Counts what arrives of requests over HTTP/2 until it is passed to their calls, whichever library reads it. Flow control limits only what is on its way on
// one stream: with a thousand streams, that is gigabytes.
import type { HeldMemory } from "@roundtrip/contract";
import type { ServerHttp2Stream } from "node:http2";
import { Duplex } from "node:stream";
import { giveSlotBack, takeSlot } from "../decompression-slots.ts";
import { leastPieceBytes, leastStreamPieceBytes, ReceivedPieces } from "../received-pieces.ts";

const receivedOn = Symbol("the part of a request that no call has yet");

type CountedStream = ServerHttp2Stream & { [receivedOn]?: ReceivedRequest };

/** In place of `push`, which Node.js calls for each piece, even while the stream is paused, and with null at the end. */
function countedPush(this: CountedStream, piece: Buffer | null, encoding?: BufferEncoding): boolean {
  const received = this[receivedOn];
  if (piece !== null && received?.add(piece.length) === false) return true;
  if (received?.delays(piece) === true) return true;
  return Duplex.prototype.push.call(this, piece, encoding);
}

/** A request that is decompressed as soon as its pieces are passed on. They are passed on together, when it may be. */
class DelayedRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #pieces: (Buffer | null)[] = [];
  #state: "arriving" | "waiting" | "passed on" | "over" = "arriving";

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  add(piece: Buffer | null): boolean {
    if (this.#state !== "arriving") return false;
    this.#pieces.push(piece);
    if (piece !== null) return true;
    this.#state = "waiting";
    takeSlot(() => this.#passOn());
    return true;
  }

  /** The request is decompressed, or its stream closed. */
  end(): void {
    if (this.#state === "passed on") giveSlotBack();
    this.#pieces.length = 0;
    this.#state = "over";
  }

  #passOn(): void {
    if (this.#state === "over") {
      giveSlotBack();
      return;
    }
    this.#state = "passed on";
    for (const piece of this.#pieces.splice(0)) Duplex.prototype.push.call(this.#stream, piece);
  }
}

interface RequestKind {
  readonly isStream: boolean;
  /** Whether its library decompresses it as soon as its pieces are passed on. */
  readonly isDelayed: boolean;
}

/** A connection whose requests are counted. */
export interface CountedConnection {
  readonly memory: HeldMemory;
  /** Answers and closes a stream of which too much is held, or which comes in too small pieces. */
  refuse(stream: ServerHttp2Stream): void;
}

class ReceivedRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #connection: CountedConnection;
  readonly #pieces: ReceivedPieces;
  readonly #delayed: DelayedRequest | undefined;
  #isRefused = false;

  constructor(stream: ServerHttp2Stream, connection: CountedConnection, { isStream, isDelayed }: RequestKind) {
    this.#stream = stream;
    this.#connection = connection;
    this.#pieces = new ReceivedPieces(connection.memory, isStream ? leastStreamPieceBytes : leastPieceBytes);
    this.#delayed = isDelayed ? new DelayedRequest(stream) : undefined;
  }

  delays(piece: Buffer | null): boolean {
    return this.#delayed?.add(piece) === true;
  }

  /** The request has a call, or its stream is closed. */
  end(): void {
    this.#pieces.end();
    this.#delayed?.end();
  }

  /** Returns false for a piece that must not be kept. */
  add(pieceBytes: number): boolean {
    if (this.#isRefused) return false;
    if (this.#pieces.add(pieceBytes) === undefined) return true;
    this.#isRefused = true;
    this.end();
    this.#connection.refuse(this.#stream);
    return false;
  }

  /** The last so many bytes are still not passed on. */
  keep(bytes: number): void {
    this.#pieces.keep(bytes);
  }
}

/** Counts what arrives on a stream of a connection. */
export function countReceived(stream: ServerHttp2Stream, connection: CountedConnection, kind: RequestKind): void {
  const received = new ReceivedRequest(stream, connection, kind);
  if (stream.readableLength > 0) received.add(stream.readableLength);
  (stream as CountedStream)[receivedOn] = received;
  stream.push = countedPush;
}

/** Everything has been passed on but for so many bytes. */
export function passedOnUntil(stream: object, bytes: number): void {
  (stream as CountedStream)[receivedOn]?.keep(bytes);
}

/** The request of a stream has a call, or the stream is closed. */
export function endReceived(stream: object): void {
  (stream as CountedStream)[receivedOn]?.end();
}
