// Request bodies: read whole or in pieces, decompressed, and limited in size and time.
import { CallError } from "@roundtrip/contract";
import { HttpError, unsupported } from "@roundtrip/styles/http/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from "node:zlib";

// Errors of unreadable request bodies, the same for every library.

const contentCodings = ["gzip", "deflate", "br"] as const;

function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxBytes} bytes`));
}

/** 413 if the declared length exceeds the limit; undefined otherwise. Does not wait for the body. */
export function declaredTooLarge(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  maxBytes: number,
): HttpError | undefined {
  const isTooLarge = Number(headers["content-length"] ?? 0) > maxBytes && headers["content-encoding"] === undefined;
  return isTooLarge ? bodyTooLarge(maxBytes) : undefined;
}

/** The error of an unreadable body. @param thrown an Error. A `status` is an HTTP status; 413 and 415 have their own errors. */
export function bodyFault(thrown: unknown, maxBytes: number): CallError | HttpError {
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
  fail: (error: CallError | HttpError) => void,
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
      if (thrown !== undefined) fail(bodyFault(thrown, maxBytes));
      else done(bytes === undefined || bytes.length === 0 ? undefined : bytes);
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

/** The pieces of a body, without a time limit until the answer. Then `maxRestMs` remain for the rest, which is discarded to reuse the connection. */
export function unhurriedBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxRestMs: number,
): AsyncIterable<Uint8Array> {
  exemptFromRequestLimit(request, response, maxRestMs);
  const body = wholeBody(request);
  // A library may forget a body that its handler has not read to the end.
  response.once("finish", () => void body[Symbol.asyncIterator]().return?.());
  return body;
}

/** The pieces of a body. A reader that stops early leaves the connection open: the rest is discarded. */
export function wholeBody(request: Readable): AsyncIterable<Uint8Array> {
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => pieces.next(),
      async return() {
        await pieces.return?.();
        request.resume();
        return { done: true, value: undefined };
      },
    }),
  };
}

// Decompresses request bodies for servers whose library does not.

export type ContentDecoder = Transform & Zlib;

const decoders: Readonly<Record<(typeof contentCodings)[number], () => ContentDecoder>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
};

function isKnown(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding);
}

/** A decoding stream for a Content-Encoding header; undefined for plain bodies. Throws an Error of `status` 415 for an unsupported coding. */
export function contentDecoder(contentEncoding: string | undefined): ContentDecoder | undefined {
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

/** Reads bodies of at most `maxBytes`. The rest of an unreadable body is received and discarded. */
export function decodedBytes(maxBytes: number): ReadBytes {
  return (request, _response, done) => {
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
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const end = (thrown?: unknown): void => {
      if (isOver) return;
      isOver = true;
      if (decoder !== undefined) {
        request.unpipe(decoder);
        decoder.destroy();
        request.resume();
      }
      done(thrown, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const body = decoder === undefined ? request : request.pipe(decoder);
    body.on("data", (chunk: Buffer) => {
      if (isOver) return;
      bytes += chunk.length;
      if (bytes > maxBytes) end({ status: 413 });
      else chunks.push(chunk);
    });
    body.on("end", () => end()).on("error", end);
    // If the caller disconnects, the decoder reports nothing.
    if (decoder !== undefined) request.on("error", end);
  };
}
