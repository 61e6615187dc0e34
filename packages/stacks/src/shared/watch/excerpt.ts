// The first kilobytes of a body, for people.

const mostBytes = 16 * 1024;

export class Excerpt {
  readonly #isEncoded: boolean;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  /** @param contentEncoding of the body: an encoded one has no text */
  constructor(contentEncoding: string | undefined) {
    this.#isEncoded = contentEncoding !== undefined && contentEncoding !== "identity";
  }

  /** Bytes that are no UTF-8 are replaced. */
  get text(): string {
    return this.#isEncoded ? "" : Buffer.concat(this.#pieces).toString();
  }

  /** Ignores anything but text and bytes. */
  add(chunk: unknown): void {
    if (this.#bytes >= mostBytes || this.#isEncoded) return;
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    const bytes = Buffer.from(chunk).subarray(0, mostBytes - this.#bytes);
    this.#bytes += bytes.length;
    this.#pieces.push(bytes);
  }
}
