// The protocol of the floor: length-prefixed frames. Numbers are unsigned, big-endian, and of 32 bits unless stated otherwise.
//
//   greeting         "RTfloor1", from the server when a connection opens; clients may send requests before it arrives;
//                    "RTclose1" asks the client to close the connection after the answers to its current requests
//   learn request    [1 bit set, 31 bits: length of the body][milliseconds until the deadline]
//                    body: [16 bits: length of the operation's id][the id in UTF-8][the request in protobuf]
//   give-up          [1 bit set, 31 bits clear][number of the learn request on this connection, from 0]
//   echo request     [1 bit clear, 31 bits: length of the body][requested length of the answer]  body: anything
//   answer           [1 bit clear, 31 bits: length of the body]  body: the response in protobuf, or anything for an echo
//   error            [1 bit set, 31 bits: length of the body]  body: google.rpc.Status
//
// Answers come in the order of the requests, cancelled ones included. A give-up has no answer.

/** The first bytes from a floor. A server that sends others, or none, is not a floor. */
export const greeting = Buffer.from("RTfloor1");
export const closingGreeting = Buffer.from("RTclose1");
export const requestHeaderBytes = 8;
export const answerHeaderBytes = 4;
/** Maximum length of an operation id. No Roundtrip client sends a longer one. */
export const maxIdBytes = 1024;
/** The value for calls without a deadline. */
export const noDeadline = 2 ** 32 - 1;

const flag = 2 ** 31;

/** Whether the top bit of a header's first word is set. */
export function isFlagged(word: number): boolean {
  return word >= flag;
}

export function lengthIn(word: number): number {
  return word >= flag ? word - flag : word;
}

/** A request that the service answers. */
export function learnRequest(operationId: string, request: Uint8Array, timeoutMs: number): Buffer {
  const id = Buffer.from(operationId);
  const bodyBytes = 2 + id.length + request.length;
  const frame = Buffer.allocUnsafe(requestHeaderBytes + bodyBytes);
  frame.writeUInt32BE(flag + bodyBytes, 0);
  frame.writeUInt32BE(timeoutMs, 4);
  frame.writeUInt16BE(id.length, 8);
  frame.set(id, 10);
  frame.set(request, 10 + id.length);
  return frame;
}

export function giveUpRequest(number: number): Buffer {
  const frame = Buffer.allocUnsafe(requestHeaderBytes);
  frame.writeUInt32BE(flag, 0);
  frame.writeUInt32BE(number, 4);
  return frame;
}

export interface LearnParts {
  readonly operationId: string;
  readonly request: Buffer;
}

/** Decodes the body of a learn request; undefined if it is malformed. */
export function learnParts(body: Buffer): LearnParts | undefined {
  if (body.length < 2) return undefined;
  const start = 2 + body.readUInt16BE(0);
  if (start > Math.min(body.length, 2 + maxIdBytes)) return undefined;
  return { operationId: body.toString("utf8", 2, start), request: body.subarray(start) };
}

/** Requests an echo of `wantedBytes` bytes. */
export function echoRequest(request: Uint8Array, wantedBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(requestHeaderBytes + request.length);
  frame.writeUInt32BE(request.length, 0);
  frame.writeUInt32BE(wantedBytes, 4);
  frame.set(request, requestHeaderBytes);
  return frame;
}

/** A response or, when `failed`, a google.rpc.Status. */
export function answerFrame(body: Uint8Array, failed: boolean): Buffer {
  const frame = Buffer.allocUnsafe(answerHeaderBytes + body.length);
  frame.writeUInt32BE(failed ? flag + body.length : body.length, 0);
  frame.set(body, answerHeaderBytes);
  return frame;
}

// Splits the bytes of a socket into frames. It counts bodies that the sink does not need, and does not keep them.

export interface FrameSink {
  /** Receives the words of a header; the second is 0 in headers of one word. Returns true to get the body. Throws to refuse the frame. */
  begin(first: number, second: number): boolean;
  /** Receives a complete frame, with its body if `begin` returned true. Returns false to pause reading. */
  end(body: Buffer | undefined): boolean;
}

export class FrameReader {
  readonly #headerBytes: number;
  readonly #sink: FrameSink;
  // A header that arrived in pieces.
  readonly #pieces: Buffer;
  #pieceBytes = 0;
  #body: Buffer | undefined;
  #bodyAt = 0;
  // Remaining bytes of the body; -1 before a header.
  #left = -1;

  /** @param headerBytes 4 or 8. */
  constructor(headerBytes: number, sink: FrameSink) {
    this.#headerBytes = headerBytes;
    this.#sink = sink;
    this.#pieces = Buffer.alloc(headerBytes);
  }

  /** Returns how many bytes it read: fewer than the chunk has if the sink paused it. Throws what the sink throws. */
  read(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left < 0) {
        at = this.#readHeader(chunk, at);
        if (this.#left < 0) break;
      }
      const taken = Math.min(this.#left, chunk.length - at);
      if (this.#body !== undefined) this.#bodyAt += chunk.copy(this.#body, this.#bodyAt, at, at + taken);
      at += taken;
      this.#left -= taken;
      if (this.#left === 0) {
        const body = this.#body;
        this.#body = undefined;
        this.#left = -1;
        if (!this.#sink.end(body)) break;
      }
    }
    return at;
  }

  #readHeader(chunk: Buffer, at: number): number {
    const bytes = this.#headerBytes;
    if (this.#pieceBytes === 0 && chunk.length - at >= bytes) {
      this.#begin(chunk, at);
      return at + bytes;
    }
    const taken = chunk.copy(this.#pieces, this.#pieceBytes, at, at + bytes - this.#pieceBytes);
    this.#pieceBytes += taken;
    if (this.#pieceBytes === bytes) {
      this.#pieceBytes = 0;
      this.#begin(this.#pieces, 0);
    }
    return at + taken;
  }

  #begin(header: Buffer, at: number): void {
    const first = header.readUInt32BE(at);
    const wanted = this.#sink.begin(first, this.#headerBytes > 4 ? header.readUInt32BE(at + 4) : 0);
    this.#left = lengthIn(first);
    this.#body = wanted ? Buffer.allocUnsafe(this.#left) : undefined;
    this.#bodyAt = 0;
  }
}
