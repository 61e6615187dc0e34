// Finds frames in what a socket delivers, however it is cut. Bodies that nobody wants are counted, not kept.
import { lengthIn } from "./frames.ts";

/** Who gets the frames. */
export interface FrameSink {
  /** A header came: its words, the second 0 in headers of one. True when the body is wanted. Throws to refuse the frame. */
  begin(first: number, second: number): boolean;
  /** The frame is complete; its body if it was wanted. False stops reading here for now. */
  end(body: Buffer | undefined): boolean;
}

export class FrameReader {
  readonly #headerBytes: number;
  readonly #sink: FrameSink;
  // A header that came in pieces.
  readonly #pieces: Buffer;
  #pieceBytes = 0;
  #body: Buffer | undefined;
  #bodyAt = 0;
  // Bytes of the body to come; -1 before a header.
  #left = -1;

  /** @param headerBytes 4 or 8. */
  constructor(headerBytes: number, sink: FrameSink) {
    this.#headerBytes = headerBytes;
    this.#sink = sink;
    this.#pieces = Buffer.alloc(headerBytes);
  }

  /** Reads on and returns how many bytes it took: fewer than there are when the sink stopped it. Throws what the sink throws. */
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
