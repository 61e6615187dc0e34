// The body of a request as Connect's library takes it: one piece for each message, because the library's work grows with the square of the number of pieces.
// Each message is judged before the library decodes it.
import { type Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import {
  CallError,
  canonicalCodes,
  heldBy,
  largeCompressedBytes,
  largeRequestBytes,
  memoryExhausted,
  nextTurn,
  ownTurn,
} from "@roundtrip/contract";
import { MessageReader, ofCaller, prefixBytes } from "@roundtrip/styles/grpc/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { giveSlotBack, takeSlot } from "../decompression-slots.ts";
import { passedOnUntil } from "../http2/received-requests.ts";
import { leastPieceBytes, leastStreamPieceBytes, ReceivedPieces } from "../received-pieces.ts";

/** The library would answer a CallError as an internal one. */
function connectError(thrown: unknown): unknown {
  if (!(thrown instanceof CallError)) return thrown;
  const code = canonicalCodes[thrown.code].grpc as unknown as Code;
  return new ConnectError(thrown.message, code);
}

/** What a request holds until its messages are passed on. */
interface BodyMemory {
  /** Throws a CallError if too much is held. */
  add(piece: Uint8Array): void;
  /** Everything has been passed on but for so many bytes. */
  passedOnUntil(bytes: number): void;
}

/** Over HTTP/2, what arrives is counted on arrival. */
function memoryOfStream({ stream }: Http2ServerRequest): BodyMemory {
  return { add: () => {}, passedOnUntil: (bytes) => passedOnUntil(stream, bytes) };
}

class MemoryOfBody implements BodyMemory {
  readonly #pieces: ReceivedPieces;
  readonly #closeAfterAnswer: () => void;
  #isOver = false;

  constructor({ socket }: IncomingMessage, response: ServerResponse | Http2ServerResponse, leastBytes: number) {
    this.#pieces = new ReceivedPieces(heldBy(socket), leastBytes);
    this.#closeAfterAnswer = () => (response as ServerResponse).once("finish", () => socket.destroySoon());
    (response as ServerResponse).once("close", () => {
      this.#pieces.end();
      this.#isOver = true;
    });
  }

  add(piece: Uint8Array): void {
    if (this.#isOver || this.#pieces.add(piece.length) === undefined) return;
    // Reading on would cost what the limit saves.
    this.#closeAfterAnswer();
    throw memoryExhausted();
  }

  passedOnUntil(bytes: number): void {
    this.#pieces.keep(bytes);
  }
}

/** Throws a CallError for a message that must not be decoded. */
export type CheckMessage = (message: Uint8Array) => void;

/** A request, and how its body is written. */
interface ReceivedBody {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  /** For messages that are not compressed. */
  readonly check: CheckMessage;
  readonly maxMessageBytes: number;
}

/** Waits until a message may be decoded, and throws a CallError if it must not be. */
async function admit(message: Uint8Array, isCompressed: boolean, check: CheckMessage): Promise<void> {
  if (!isCompressed) check(message);
  if (message.length >= (isCompressed ? largeCompressedBytes : largeRequestBytes)) await ownTurn();
}

async function* envelopes(
  pieces: AsyncIterable<Uint8Array>,
  memory: BodyMemory,
  { check, maxMessageBytes }: ReceivedBody,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = new MessageReader({ sender: ofCaller, maxBytes: maxMessageBytes });
  try {
    for await (const piece of pieces) {
      memory.add(piece);
      reader.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      for (let envelope = reader.envelope(); envelope !== undefined; envelope = reader.envelope()) {
        if (envelope.length >= largeCompressedBytes)
          await admit(envelope.subarray(prefixBytes), envelope[0] !== 0, check);
        memory.passedOnUntil(reader.waitingBytes);
        yield envelope;
      }
      const turn = nextTurn();
      if (turn !== undefined) await turn;
    }
  } catch (thrown) {
    throw connectError(thrown);
  }
  // The library reports a message that is cut short.
  const rest = reader.rest();
  if (rest !== undefined) yield rest;
}

async function* whole(
  pieces: AsyncIterable<Uint8Array>,
  memory: BodyMemory,
  { request: { headers }, check, maxMessageBytes }: ReceivedBody,
): AsyncGenerator<Uint8Array, void, undefined> {
  const received: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      memory.add(piece);
      received.push(piece);
      bytes += piece.length;
      // The library reports a message that is too large.
      if (bytes > maxMessageBytes) break;
      const turn = nextTurn();
      if (turn !== undefined) await turn;
    }
    if (bytes === 0) return;
    const [first] = received;
    const message = received.length === 1 && first !== undefined ? first : Buffer.concat(received, bytes);
    if (bytes <= maxMessageBytes) await admit(message, headers["content-encoding"] !== undefined, check);
    memory.passedOnUntil(0);
    yield message;
  } catch (thrown) {
    throw connectError(thrown);
  }
}

/** Bodies of at most this declared length need no judgement, however they are written. */
const smallBodyBytes = 8 * 1024;

/**
 * Removes the declared length of a body that {@link wholeMessages} joins: the library would allocate that much before any of it comes, and would count it in
 * no limit. It refuses larger lengths than are allowed by this header.
 */
export function withoutLength(header: Headers, maxMessageBytes: number): void {
  const length = Number(header.get("content-length"));
  if (length > smallBodyBytes && length <= maxMessageBytes) header.delete("content-length");
}

const enveloped = /^application\/(?:grpc|connect\+)/i;

/** The pieces of a body, one for each message. Reading throws a ConnectError for a message that must not be decoded. */
export function wholeMessages(pieces: AsyncIterable<Uint8Array>, body: ReceivedBody): AsyncIterable<Uint8Array> {
  const { request, response } = body;
  const { "content-length": length, "content-type": type = "" } = request.headers;
  if (Number(length) <= smallBodyBytes) return pieces;
  const isEnveloped = enveloped.test(type);
  const memory =
    "stream" in request
      ? memoryOfStream(request)
      : new MemoryOfBody(request, response, isEnveloped ? leastStreamPieceBytes : leastPieceBytes);
  return isEnveloped ? envelopes(pieces, memory, body) : whole(pieces, memory, body);
}

async function inSlot<T>(decompress: () => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => takeSlot(resolve));
  try {
    return await decompress();
  } finally {
    giveSlotBack();
  }
}

/** The same compressions, whose messages are judged when they are decompressed. */
export function judging(compressions: readonly Compression[], check: CheckMessage): Compression[] {
  return compressions.map((compression) => ({
    ...compression,
    decompress: (bytes, maxBytes) =>
      inSlot(async () => {
        const message = await compression.decompress(bytes, maxBytes);
        try {
          check(message);
        } catch (thrown) {
          throw connectError(thrown);
        }
        if (message.length >= largeRequestBytes) await ownTurn();
        return message;
      }),
  }));
}
