// Request bodies: read whole or in pieces, decompressed, and limited in size, time, memory, and the work that they make.
import {
  CallError,
  callerCancelled,
  heldBy,
  largeRequestBytes,
  memoryExhausted,
  nextTurn,
  ownTurn,
} from "@roundtrip/contract";
import { HttpError, tooLarge, unsupported } from "@roundtrip/styles/http/server";
import { freePieces, leastPieceBytes, leastStreamPieceBytes, ReceivedPieces } from "../received-pieces.ts";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Duplex, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress, type Zlib } from "node:zlib";
import { zstdLimits } from "../codings.ts";

// Errors of unreadable request bodies, the same for every library.

const contentCodings = ["gzip", "deflate", "br", "zstd"] as const;

function bodyTooLarge(maxBytes: number): HttpError {
  return tooLarge(`the request is larger than ${maxBytes} bytes`);
}

/** 413 if the declared length exceeds the limit; undefined otherwise. Does not wait for the body. */
export function declaredTooLarge(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  maxBytes: number,
): HttpError | undefined {
  const isTooLarge = Number(headers["content-length"] ?? 0) > maxBytes && headers["content-encoding"] === undefined;
  return isTooLarge ? bodyTooLarge(maxBytes) : undefined;
}

type BodyFault = CallError | HttpError;

/** The error of an unreadable body. @param thrown an Error. A `status` is an HTTP status; 413 and 415 have their own errors. */
export function bodyFault(thrown: unknown, maxBytes: number): BodyFault {
  if (thrown instanceof CallError || thrown instanceof HttpError) return thrown;
  const { status, message } = thrown as { readonly status?: number; readonly message?: string };
  if (status === 413) return bodyTooLarge(maxBytes);
  if (status === 415) {
    const codings = contentCodings.join(", ");
    return unsupported(`this content encoding is not supported: ${message}`, `none or one of ${codings}`, {
      "accept-encoding": codings,
    });
  }
  return new CallError("INVALID_ARGUMENT", `the body cannot be read: ${message}`, {}, { cause: thrown });
}

// Limits a body while it arrives.

/** Decompressed bytes that may come of any number of compressed ones. */
export const freeInflatedBytes = 1024 * 1024;
/** Beyond that, how many times as large as received a decompressed body may be. */
export const maxInflation = 200;

/** A plain body up to this length is not counted in the memory that a connection holds. */
const uncountedBytes = 4 * 1024;

class Arrival {
  readonly #pieces: ReceivedPieces;

  constructor({ socket }: IncomingMessage) {
    this.#pieces = new ReceivedPieces(heldBy(socket), leastPieceBytes);
  }

  /** The error of a body that is not read further; undefined while it may go on. */
  add({ length }: Uint8Array): CallError | undefined {
    return this.#pieces.add(length) === undefined ? undefined : memoryExhausted();
  }

  /** The same for decompressed bytes. @param inflated their number so far */
  addInflated({ length }: Uint8Array, inflated: number): BodyFault | undefined {
    if (inflated > freeInflatedBytes && inflated > maxInflation * this.#pieces.receivedBytes) {
      return tooLarge(`the body is more than ${maxInflation} times as large as its compressed form`);
    }
    return this.hold(length);
  }

  hold(bytes: number): CallError | undefined {
    return this.#pieces.hold(bytes) ? undefined : memoryExhausted();
  }

  end(): void {
    this.#pieces.end();
  }
}

/** Whether a body comes as it is, with its length. */
export function isPlain({ "transfer-encoding": chunked, "content-encoding": coding }: IncomingHttpHeaders): boolean {
  return chunked === undefined && (coding === undefined || coding === "identity");
}

/** Whether a plain body counts in the memory that a connection holds. */
export function isCounted({ "content-length": length }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) > uncountedBytes;
}

/**
 * Counts the chunks of a body as they come, and joins tiny ones that come together: each would be an event of its own.
 * @param leastBytes what they have on average
 * @returns the error of a body whose chunks are too small, of which no more is taken; undefined before
 */
function countChunks(request: IncomingMessage, leastBytes: number): () => HttpError | undefined {
  let chunks = 0;
  let bytes = 0;
  let isTooSmall = false;
  let tiny: Buffer[] = [];
  const push = (chunk: Buffer | null): boolean => Readable.prototype.push.call(request, chunk);
  const pushTiny = (): void => {
    if (tiny.length > 0 && !request.destroyed) push(tiny.length === 1 ? (tiny[0] as Buffer) : Buffer.concat(tiny));
    tiny = [];
  };
  // Node.js calls this for each chunk, and with null at the end.
  request.push = (chunk: Buffer | null): boolean => {
    if (isTooSmall) return false;
    if (chunk === null || chunk.length >= leastPieceBytes) pushTiny();
    if (chunk === null) return push(chunk);
    chunks += 1;
    bytes += chunk.length;
    isTooSmall = chunks > freePieces && bytes < chunks * leastBytes;
    if (chunk.length >= leastPieceBytes) return push(chunk);
    if (tiny.length === 0) process.nextTick(pushTiny);
    tiny.push(chunk);
    // Of what is read of the socket now, only the joined chunks before are in the buffer.
    return !isTooSmall && request.readableLength < request.readableHighWaterMark;
  };
  return () =>
    isTooSmall
      ? tooLarge(`the body comes in more than ${freePieces} chunks of less than ${leastBytes} bytes: send larger ones`)
      : undefined;
}

/** A paused request alone still takes from its socket as many bytes as a stream may buffer, which may be tens of thousands of chunks. */
function stopReading(request: IncomingMessage): void {
  request.pause();
  request.socket.pause();
}

function resumeReading(request: IncomingMessage): void {
  request.resume();
  request.socket.resume();
}

/**
 * Lets others be read and answered while a body arrives: a socket is read until it is empty, or paused. Tiny pieces have arrived in one read and are
 * limited in number; a paused request would take longer for each of them.
 */
function takeTurns(request: IncomingMessage, { length }: Uint8Array): void {
  const later = length < leastPieceBytes ? undefined : nextTurn(length);
  if (later === undefined) return;
  stopReading(request);
  void later.then(() => resumeReading(request));
}

/**
 * Counts a plain body while a library reads it. Beyond the limits, nothing more is read, and the connection closes after the answer: libraries cannot
 * be stopped. @param onFault called at most once, with the error to answer
 */
export function countArrival(
  request: IncomingMessage,
  response: ServerResponse,
  onFault: (fault: CallError) => void,
): void {
  if (!isCounted(request.headers)) return;
  const arrival = new Arrival(request);
  const onData = (chunk: Buffer): void => {
    const fault = arrival.hold(chunk.length);
    if (fault === undefined) {
      takeTurns(request, chunk);
      return;
    }
    over();
    stopReading(request);
    response.setHeader("connection", "close");
    onFault(fault);
  };
  const over = (): void => {
    arrival.end();
    request.off("data", onData).off("end", over).off("close", over);
  };
  request.on("data", onData).once("end", over).once("close", over);
}

/**
 * Resolves in a turn of the event loop that belongs to a large body alone, which is held until then. Throws RESOURCE_EXHAUSTED if that is too much, and
 * CANCELLED if the caller has disconnected meanwhile: nothing is decoded for it.
 */
export async function turnFor({ socket }: IncomingMessage, { length }: Uint8Array): Promise<void> {
  if (length < largeRequestBytes) return;
  const memory = heldBy(socket);
  if (!memory.take(length)) throw memoryExhausted();
  await ownTurn();
  memory.giveBack(length);
  if (socket.destroyed) throw callerCancelled();
}

/** Calls back with a body: at once, or for a large one in {@link turnFor it}. */
export async function inTurn<T extends Uint8Array | undefined>(
  request: IncomingMessage,
  body: T,
  answer: (body: T) => void,
  refuse: (fault: CallError) => void,
): Promise<void> {
  if (body !== undefined && body.length >= largeRequestBytes) {
    try {
      await turnFor(request, body);
    } catch (thrown) {
      refuse(thrown as CallError);
      return;
    }
  }
  answer(body);
}

// Reads whole request bodies.

/** A library's body reader. Calls back with the bytes, undefined without a body, or the library's error. */
export type ReadBytes = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (thrown: unknown, bytes?: Uint8Array) => void,
) => void;

/** Calls back with the bytes of a body (undefined if empty or missing), or with the fault to answer. */
type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (bytes: Uint8Array | undefined) => void,
  fail: (error: BodyFault) => void,
) => void;

/** Reads bodies with a library, up to `maxBytes` after decompression. */
export function bodyReader(read: ReadBytes, maxBytes: number): ReadBody {
  return (request, response, done, fail) => {
    // Checked first: a library may wait for the whole body.
    const fault = declaredTooLarge(request.headers, maxBytes);
    if (fault !== undefined) {
      fail(fault);
      return;
    }
    read(request, response, (thrown, bytes) => {
      if (thrown !== undefined) {
        fail(bodyFault(thrown, maxBytes));
        return;
      }
      const body = bytes === undefined || bytes.length === 0 ? undefined : bytes;
      void inTurn(request, body, done, fail);
    });
  };
}

// HTTP/1.1 requests with streams, which have their own time limits. Node.js has no exception for them, so the server checks here before it closes.

const unhurried = new WeakSet<Duplex>();

/** Whether the current request of this socket is exempt from the limit. */
export function isExemptFromRequestLimit(socket: Duplex): boolean {
  return unhurried.has(socket);
}

/** Closes the connection if the rest of an answered request takes longer than this. */
export function limitRest(request: IncomingMessage, maxRestMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  const over = (): void => {
    clearTimeout(cut);
    request.off("close", over);
    socket.off("close", over);
  };
  const cut = setTimeout(() => socket.destroy(), maxRestMs).unref();
  request.once("close", over);
  // Node.js does not close a request that it has answered when its connection closes.
  socket.once("close", over);
}

function exemptFromRequestLimit(request: IncomingMessage, response: ServerResponse, maxRestMs: number): void {
  const { socket } = request;
  unhurried.add(socket);
  request.once("close", () => unhurried.delete(socket));
  response.once("finish", () => limitRest(request, maxRestMs));
}

/**
 * The pieces of a body. Throws RESOURCE_EXHAUSTED for one in tiny chunks, of which nothing more is read: the connection closes after the answer.
 * @param leastBytes what its chunks have on average
 */
export async function* largeChunks(
  request: IncomingMessage,
  response: ServerResponse,
  leastBytes: number,
): AsyncGenerator<Uint8Array> {
  const excessOf = countChunks(request, leastBytes);
  for await (const piece of wholeBody(request)) {
    const excess = excessOf();
    if (excess !== undefined) {
      request.once("resume", () => stopReading(request));
      response.once("finish", () => request.socket.destroySoon());
      throw excess.error;
    }
    yield piece;
  }
}

/** The pieces of a body, without a time limit until the answer. Then `maxRestMs` remain for the rest, which is discarded to reuse the connection. */
export function unhurriedBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxRestMs: number,
): AsyncIterable<Uint8Array> {
  exemptFromRequestLimit(request, response, maxRestMs);
  const body =
    request.headers["transfer-encoding"] === undefined
      ? wholeBody(request)
      : largeChunks(request, response, leastStreamPieceBytes);
  // A library may forget a body that its handler has not read to the end.
  response.once("finish", () => void body[Symbol.asyncIterator]().return?.());
  return body;
}

/** After a piece of this size, the next one waits for a turn of its own. */
const largePieceBytes = 4 * 1024;

/**
 * The pieces of a body: what has arrived between two turns of the event loop is one piece. A reader that stops early leaves the connection open: the
 * rest is discarded.
 */
export function wholeBody(request: Readable): AsyncIterable<Uint8Array> {
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  let isLarge = false;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const turn = isLarge ? ownTurn() : nextTurn();
        if (turn !== undefined) await turn;
        const result = await pieces.next();
        isLarge = result.done !== true && result.value.length >= largePieceBytes;
        return result;
      },
      async return() {
        await pieces.return?.();
        request.resume();
        return { done: true, value: undefined };
      },
    }),
  };
}

// Decompresses request bodies for servers whose library does not.

type ContentDecoder = Transform & Zlib;

const decoders: Readonly<Record<(typeof contentCodings)[number], () => ContentDecoder>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  zstd: () => createZstdDecompress(zstdLimits),
};

function isKnown(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding);
}

/** A decoding stream for a Content-Encoding header; undefined for plain bodies. Throws an Error of `status` 415 for an unsupported coding. */
function contentDecoder(contentEncoding: string | undefined): ContentDecoder | undefined {
  const coding = (contentEncoding ?? "identity").toLowerCase();
  if (coding === "identity") return undefined;
  if (isKnown(coding)) return decoders[coding]();
  throw Object.assign(new Error(`unsupported content encoding "${coding}"`), { status: 415 });
}

// Reads decompressed bodies from node:http, up to a limit.

/** Whether a request has a body (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Frees the memory of a chunk that nobody reads any more. Garbage is collected only when tens of megabytes of it have come. */
function free({ buffer, length }: Buffer): void {
  if (length >= largePieceBytes && length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

/** The bytes of all chunks, which are freed. */
function joined(chunks: readonly Buffer[]): Buffer | undefined {
  if (chunks.length === 1) return chunks[0];
  const body = Buffer.concat(chunks);
  chunks.forEach(free);
  return body;
}

/** Reads bodies of at most `maxBytes`. The rest of an unreadable body is received and discarded. */
export function decodedBytes(maxBytes: number): ReadBytes {
  return (request, response, done) => {
    if (!hasBody(request)) {
      done(undefined);
      return;
    }
    let decoder: ContentDecoder | undefined;
    try {
      decoder = contentDecoder(request.headers["content-encoding"]);
    } catch (thrown) {
      done(thrown);
      return;
    }
    const arrival = new Arrival(request);
    const excessOf = countChunks(request, leastPieceBytes);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const end = (thrown?: unknown): void => {
      if (isOver) return;
      isOver = true;
      arrival.end();
      if (decoder !== undefined) {
        request.unpipe(decoder);
        decoder.destroy();
        request.resume();
      }
      const body = thrown === undefined ? joined(chunks) : undefined;
      if (thrown !== undefined) chunks.forEach(free);
      chunks.length = 0;
      done(thrown, body);
    };
    const stop = (fault: BodyFault): void => {
      response.setHeader("connection", "close");
      end(fault);
      // Reading on would cost what the limit saves.
      stopReading(request);
    };
    const keep = (chunk: Buffer, fault: BodyFault | undefined): void => {
      if (fault !== undefined) stop(fault);
      else if (bytes > maxBytes) end({ status: 413 });
      else chunks.push(chunk);
    };
    request.on("data", (chunk: Buffer) => {
      if (isOver) return;
      const fault = excessOf() ?? arrival.add(chunk);
      if (decoder === undefined) {
        bytes += chunk.length;
        keep(chunk, fault);
      } else if (fault !== undefined) stop(fault);
      if (!isOver) takeTurns(request, chunk);
    });
    const body = decoder === undefined ? request : request.pipe(decoder);
    if (decoder !== undefined) {
      decoder.on("data", (chunk: Buffer) => {
        if (isOver) return;
        bytes += chunk.length;
        keep(chunk, arrival.addInflated(chunk, bytes));
      });
    }
    body.on("end", () => end()).on("error", end);
    // If the caller disconnects, the decoder reports nothing.
    if (decoder !== undefined) request.on("error", end);
  };
}
