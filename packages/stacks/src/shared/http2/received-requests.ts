// Counts what arrives of requests over HTTP/2 until it is passed to their calls, whichever library reads it. Flow control limits only what is on its way on
// one stream: with a thousand streams, that is gigabytes.
import { type HeldMemory, largeRequestBytes, ownTurn } from "@roundtrip/contract";
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

/** How a request waits before its last pieces are passed on to a library that decodes it as soon as it has them. */
interface Delay {
  /** So many bytes are passed on at once. */
  readonly freeBytes: number;
  /** Calls back when the rest may be passed on. */
  readonly wait: (passOn: () => void) => void;
  /** Called when the request is decoded, or its stream closed. */
  readonly end: () => void;
}

/** A large message is decoded in a turn of its own. */
const ownTurnDelay: Delay = {
  freeBytes: largeRequestBytes,
  wait: (passOn) => void ownTurn().then(passOn),
  end: () => {},
};

/** A compressed message grows as soon as its pieces are passed on. */
const slotDelay: Delay = { freeBytes: 0, wait: takeSlot, end: giveSlotBack };

/** A request of one message that is decoded as soon as its pieces are passed on. They are passed on together, when it may be. */
class DelayedRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #delay: Delay;
  readonly #pieces: (Buffer | null)[] = [];
  #state: "arriving" | "waiting" | "passed on" | "over" = "arriving";

  constructor(stream: ServerHttp2Stream, delay: Delay) {
    this.#stream = stream;
    this.#delay = delay;
  }

  /** Returns whether the piece waits. */
  add(piece: Buffer | null): boolean {
    if (this.#state !== "arriving") return false;
    this.#pieces.push(piece);
    if (piece !== null) return true;
    this.#state = "waiting";
    this.#delay.wait(() => this.#passOn());
    return true;
  }

  /** The request is decoded, or its stream closed. */
  end(): void {
    if (this.#state === "passed on") this.#delay.end();
    this.#pieces.length = 0;
    this.#state = "over";
  }

  #passOn(): void {
    if (this.#state === "over") {
      this.#delay.end();
      return;
    }
    this.#state = "passed on";
    for (const piece of this.#pieces.splice(0)) Duplex.prototype.push.call(this.#stream, piece);
  }
}

/** How a request is written, for a library that reads it as it arrives. */
export interface RequestKind {
  readonly isStream: boolean;
  readonly isCompressed: boolean;
  /** Whether its library decodes a message as soon as it has its pieces. */
  readonly isEager: boolean;
}

function delayOf({ isStream, isCompressed, isEager }: RequestKind): Delay | undefined {
  if (isStream) return undefined;
  if (isCompressed) return isEager ? slotDelay : undefined;
  return ownTurnDelay;
}

export interface CountedConnection {
  readonly memory: HeldMemory;
  /** Answers and closes a stream of which too much is held, or which comes in too small pieces. */
  refuse(stream: ServerHttp2Stream): void;
}

/** The first piece of a request is not counted if it has no more bytes than this: most requests are no longer, and it takes less than its stream. */
const uncountedBytes = 4 * 1024;

class ReceivedRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #connection: CountedConnection;
  readonly #leastPieceBytes: number;
  /** Undefined for requests that do not wait, and when this one is over. */
  #delay: Delay | undefined;
  /** Only of requests with more than the free bytes. */
  #delayed: DelayedRequest | undefined;
  /** Of the first piece, if it is not counted; undefined before it has come. */
  #firstBytes: number | undefined;
  #pieces: ReceivedPieces | undefined;
  #isRefused = false;

  constructor(stream: ServerHttp2Stream, connection: CountedConnection, kind: RequestKind) {
    this.#stream = stream;
    this.#connection = connection;
    this.#leastPieceBytes = kind.isStream ? leastStreamPieceBytes : leastPieceBytes;
    this.#delay = delayOf(kind);
  }

  delays(piece: Buffer | null): boolean {
    if (this.#delay === undefined) return false;
    if ((this.#pieces?.receivedBytes ?? this.#firstBytes ?? 0) < this.#delay.freeBytes) return false;
    this.#delayed ??= new DelayedRequest(this.#stream, this.#delay);
    return this.#delayed.add(piece);
  }

  /** The request has a call, or its stream is closed. */
  end(): void {
    this.#pieces?.end();
    this.#delayed?.end();
    this.#delay = undefined;
  }

  /** Returns false for a piece that must not be kept. */
  add(pieceBytes: number): boolean {
    if (this.#pieces === undefined && this.#firstBytes === undefined && pieceBytes <= uncountedBytes) {
      this.#firstBytes = pieceBytes;
      return true;
    }
    if (this.#isRefused) return false;
    if (this.#fits(pieceBytes)) return true;
    this.#isRefused = true;
    this.end();
    this.#connection.refuse(this.#stream);
    return false;
  }

  /** The last so many bytes are still not passed on. */
  keep(bytes: number): void {
    this.#pieces?.keep(bytes);
  }

  #fits(pieceBytes: number): boolean {
    if (this.#pieces === undefined) {
      this.#pieces = new ReceivedPieces(this.#connection.memory, this.#leastPieceBytes);
      if (this.#firstBytes !== undefined && this.#pieces.add(this.#firstBytes) !== undefined) return false;
    }
    return this.#pieces.add(pieceBytes) === undefined;
  }
}

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
