// Splits the body of a call into its messages.
import { tooLarge, unpacked, type Sender } from "./message-encodings.ts";
import { prefixBytes } from "./wire-form.ts";

export class MessageReader {
  /** The header `grpc-encoding`. Set it before the first message is read. */
  encoding: string | undefined;
  readonly #limits: { readonly sender: Sender; readonly maxBytes: number };
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(limits: { readonly sender: Sender; readonly maxBytes: number }) {
    this.#limits = limits;
  }

  /** Whether bytes remain that are no whole message. Ask this after {@link next} has returned undefined. */
  get isCutShort(): boolean {
    return this.#bytes > 0;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole message; undefined until more bytes have come. Throws a CallError for one that is too large or cannot be decompressed. */
  next(): Uint8Array | undefined {
    if (this.#bytes < prefixBytes) return undefined;
    let [first] = this.#chunks as [Buffer];
    if (first.length < prefixBytes) first = this.#joined();
    const length = first.readUInt32BE(1);
    if (length > this.#limits.maxBytes) throw tooLarge(this.#limits.sender, this.#limits.maxBytes);
    const end = prefixBytes + length;
    if (this.#bytes < end) return undefined;
    const whole = this.#joined();
    this.#bytes -= end;
    this.#chunks = this.#bytes === 0 ? [] : [whole.subarray(end)];
    // Not a Buffer, so that `bytes` fields have the same type on every stack.
    const message = new Uint8Array(whole.buffer, whole.byteOffset + prefixBytes, length);
    return whole[0] === 0 ? message : unpacked(message, this.encoding, this.#limits);
  }

  /** Everything that has not been returned, as one chunk. */
  #joined(): Buffer {
    const [first] = this.#chunks as [Buffer];
    if (this.#chunks.length === 1) return first;
    const whole = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [whole];
    return whole;
  }
}
