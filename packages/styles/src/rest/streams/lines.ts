// Streams of JSON: one value a line, or the elements of an array.
import { CallError } from "@roundtrip/contract";

// Newline-delimited JSON: one message per line, buffered up to the maximum message size.

export const linesType = "application/x-ndjson";

/** The error of a message of a stream with too much in it: RESOURCE_EXHAUSTED, with HTTP's more specific 413. */
export class MessageTooLarge extends CallError {
  constructor(description: string) {
    super("RESOURCE_EXHAUSTED", description);
  }
}

function lineTooLong(maxBytes: number): MessageTooLarge {
  return new MessageTooLarge(`a message of the stream is larger than ${maxBytes} bytes`);
}

const newline = 0x0a;

/** The non-empty lines of a byte stream. Throws {@link MessageTooLarge} for a line above `maxBytes`. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      if (begunBytes + rest.length > maxBytes) throw lineTooLong(maxBytes);
      const line = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      begunBytes = 0;
      start = end + 1;
      if (line.length > 0) yield line;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > maxBytes) throw lineTooLong(maxBytes);
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}

// Splits a byte stream into JSON values: values after each other, as grpc-gateway streams them, or the items of one array, as Google's APIs do.

export interface JsonPiece {
  readonly bytes: Uint8Array;
  /** Whether it is an item of an array around all values. */
  readonly isItem: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const [openingBracket = 0] = opening;

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Finds where values begin and end; invalid JSON is for their reader to find. */
class Splitter {
  #isArray = false;
  #isFirst = true;
  /** How deep in the value; 0 within a number or a word. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  isInValue = false;

  get isArray(): boolean {
    return this.#isArray;
  }

  /** Reads a byte outside a value. Returns whether a value begins with it. */
  begins(byte: number): boolean {
    if (isBlank(byte) || byte === comma) return false;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst && byte === openingBracket) {
      this.#isArray = true;
      return false;
    }
    // The end of the array around all values.
    if (closing.has(byte)) return false;
    this.isInValue = true;
    this.#depth = opening.has(byte) ? 1 : 0;
    this.#isInString = byte === quote;
    return true;
  }

  /** Reads a byte within a value. Returns whether the value ends: `with` this byte, or `before` it. */
  ends(byte: number): "with" | "before" | undefined {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#isInString = false;
        if (this.#depth === 0) return "with";
      }
    } else if (byte === quote) this.#isInString = true;
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) {
      if (this.#depth <= 1) return this.#depth === 0 ? "before" : "with";
      this.#depth -= 1;
    } else if (this.#depth === 0 && (isBlank(byte) || byte === comma)) return "before";
    return undefined;
  }
}

/** The values of a stream on arrival. Throws {@link MessageTooLarge} for a value above `maxBytes`. */
export async function* jsonValues(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<JsonPiece> {
  const splitter = new Splitter();
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (!splitter.isInValue) {
        if (splitter.begins(byte)) start = at;
        continue;
      }
      const end = splitter.ends(byte);
      if (end === undefined) continue;
      splitter.isInValue = false;
      const rest = chunk.subarray(start, end === "with" ? at + 1 : at);
      if (begunBytes + rest.length > maxBytes) throw lineTooLong(maxBytes);
      yield { bytes: begunBytes === 0 ? rest : Buffer.concat([...begun, rest]), isItem: splitter.isArray };
      begun = [];
      begunBytes = 0;
    }
    if (!splitter.isInValue) continue;
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > maxBytes) throw lineTooLong(maxBytes);
  }
  // A number or a word at the end, or a value that is cut off, which its reader reports.
  if (begunBytes > 0) yield { bytes: Buffer.concat(begun), isItem: splitter.isArray };
}
