// Splits the bytes of a socket into frames. It counts bodies that the sink does not need, and does not keep them.
import { lengthIn } from "./frames.ts";

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
