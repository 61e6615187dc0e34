// gRPC on the wire: paths, headers, framed messages, their encodings, and the status in trailers.
import {
  binaryMetadata,
  CallError,
  type CanonicalCode,
  canonicalCodes,
  ClientSideError,
  codeFromGrpc,
  largeCompressedBytes,
  type Metadata,
  type Operation,
  methodPath,
  ownTurn,
} from "@roundtrip/contract";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { deflateSync, gunzipSync, gzipSync, inflateSync, type ZlibOptions } from "node:zlib";
import { detailsTrailer, errorInDetails, type GrpcStatus } from "./errors.ts";
import { codeOfForeignAnswer } from "../shared/error-details.ts";
import { metadataHeaders } from "../shared/call-headers.ts";

// gRPC's wire format, with the terms of https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.

/** The headers of a request ("Request-Headers"), without metadata. */
export function requestHeaders(operation: Operation) {
  return {
    ":method": "POST",
    ":path": methodPath(operation.method),
    "content-type": "application/grpc+proto",
    te: "trailers",
  };
}

/** Whether a Content-Type is gRPC's with protobuf messages, the only format here. */
export function isGrpc(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/grpc(?:\+proto)?(?:$|;)/.test(contentType);
}

/** The headers of an answer ("Response-Headers"), without metadata. */
export const answerHeaders = { ":status": 200, "content-type": "application/grpc+proto" } as const;

/** The headers-only answer to a request for which the server has no memory. */
export function exhaustedRequest({ message }: CallError) {
  return {
    ":status": 200,
    "content-type": "application/grpc",
    "grpc-status": canonicalCodes.RESOURCE_EXHAUSTED.grpc,
    "grpc-message": message,
  } as const;
}

/** The prefix of each message: a compression flag and the length. */
export const prefixBytes = 5;

/** An uncompressed message on the wire ("Length-Prefixed-Message"). @param lengthBytes the length in its prefix. */
export function framed(message: Uint8Array, lengthBytes = message.length): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(lengthBytes, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** The headers-only answer ("Trailers-Only") to a request that has not arrived in time. */
export const lateRequest = {
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-status": canonicalCodes.DEADLINE_EXCEEDED.grpc,
  "grpc-message": "the request took too long to arrive",
} as const;

// Compression of single messages ("Message-Encoding"), by https://github.com/grpc/grpc/blob/master/doc/compression.md.

type Unpack = (packed: Uint8Array, options: ZlibOptions) => Uint8Array;

const packing: Readonly<Record<string, (message: Uint8Array) => Uint8Array>> = { deflate: deflateSync, gzip: gzipSync };
const unpacking: Readonly<Record<string, Unpack>> = { deflate: inflateSync, gzip: gunzipSync };

/** The header `grpc-accept-encoding`. */
export const acceptedEncodings = ["identity", ...Object.keys(unpacking)].join(",");

/** The end whose messages are read, with the codes for messages that cannot be read. */
export interface Sender {
  readonly message: "request" | "response";
  readonly unknownEncoding: CanonicalCode;
  readonly malformed: CanonicalCode;
}

/** What a server reads. gRPC has INTERNAL for malformed messages; here that is for faults of the server. */
export const ofCaller: Sender = {
  message: "request",
  unknownEncoding: "UNIMPLEMENTED",
  malformed: "INVALID_ARGUMENT",
};

/** What a client reads. */
export const ofServer: Sender = { message: "response", unknownEncoding: "INTERNAL", malformed: "INTERNAL" };

function tooLarge({ message }: Sender, maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the ${message} is larger than ${maxBytes} bytes`);
}

/** A message on the wire, compressed. Small ones may grow. @param encoding `identity`, `deflate` or `gzip`. */
export function packed(message: Uint8Array, encoding: string): Buffer {
  const pack = packing[encoding];
  if (pack === undefined) return framed(message);
  const frame = framed(pack(message));
  frame[0] = 1;
  return frame;
}

/** Throws a CallError for an encoding that cannot be read. Servers refuse a call by its headers, even if no message of it is compressed. */
export function checkEncoding(encoding: string | undefined, sender: Sender): void {
  if (encoding === undefined || encoding === "identity" || Object.hasOwn(unpacking, encoding)) return;
  const text = `the ${sender.message} has the unknown grpc-encoding "${encoding}" (valid: ${acceptedEncodings})`;
  throw new CallError(sender.unknownEncoding, text);
}

/** A message that its prefix marks as compressed. Throws a CallError, RESOURCE_EXHAUSTED if it would be larger than `maxBytes`. */
function unpacked(
  message: Uint8Array,
  encoding: string | undefined,
  { sender, maxBytes }: { readonly sender: Sender; readonly maxBytes: number },
): Uint8Array {
  if (encoding === undefined || encoding === "identity") {
    throw new CallError(sender.malformed, `the ${sender.message} is marked as compressed, but has no grpc-encoding`);
  }
  checkEncoding(encoding, sender);
  const unpack = unpacking[encoding] as Unpack;
  try {
    const { buffer, byteOffset, length } = unpack(message, { maxOutputLength: Math.max(1, maxBytes) });
    return new Uint8Array(buffer, byteOffset, length);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(sender, maxBytes);
    throw new CallError(sender.malformed, `the ${sender.message} is no valid ${encoding}`, {}, { cause });
  }
}

// Splits the body of a call into its messages.

export class MessageReader {
  /** The header `grpc-encoding`. Set it before the first message is read. */
  encoding: string | undefined;
  readonly #limits: { readonly sender: Sender; readonly maxBytes: number };
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Of the message that was taken last. */
  #isCompressed = false;

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

  /** The bytes that {@link next} has not returned yet. */
  get waitingBytes(): number {
    return this.#bytes;
  }

  /** The next whole message; undefined until more bytes have come. Throws a CallError for one that is too large or cannot be decompressed. */
  next(): Uint8Array | undefined {
    const message = this.#take();
    return message !== undefined && this.#isCompressed ? unpacked(message, this.encoding, this.#limits) : message;
  }

  /** As {@link next}, for servers: messages that may be large when they are decompressed follow in a turn of their own. */
  nextInTurn(): Uint8Array | Promise<Uint8Array> | undefined {
    const message = this.#take();
    if (message === undefined || !this.#isCompressed) return message;
    const unpack = (): Uint8Array => unpacked(message, this.encoding, this.#limits);
    return message.length < largeCompressedBytes ? unpack() : ownTurn().then(unpack);
  }

  /** The next whole message with its prefix, as it came, for libraries that read it. */
  envelope(): Buffer | undefined {
    const end = this.#endOfNext();
    return end === undefined ? undefined : this.#first(end);
  }

  /** What is left at the end: a part of a message, or undefined. */
  rest(): Buffer | undefined {
    return this.#bytes === 0 ? undefined : this.#first(this.#bytes);
  }

  #take(): Uint8Array | undefined {
    const end = this.#endOfNext();
    if (end === undefined) return undefined;
    const envelope = this.#first(end);
    this.#isCompressed = envelope[0] !== 0;
    // Not a Buffer, so that `bytes` fields have the same type on every stack.
    return new Uint8Array(envelope.buffer, envelope.byteOffset + prefixBytes, end - prefixBytes);
  }

  /** Where the next message ends; undefined until all of it has come. */
  #endOfNext(): number | undefined {
    if (this.#bytes < prefixBytes) return undefined;
    let [first] = this.#chunks as [Buffer];
    if (first.length < prefixBytes) first = this.#joined();
    const length = first.readUInt32BE(1);
    if (length > this.#limits.maxBytes) throw tooLarge(this.#limits.sender, this.#limits.maxBytes);
    const end = prefixBytes + length;
    return this.#bytes < end ? undefined : end;
  }

  /** Removes so many bytes from the beginning. */
  #first(end: number): Buffer {
    const whole = this.#joined();
    this.#bytes -= end;
    this.#chunks = this.#bytes === 0 ? [] : [whole.subarray(end)];
    return this.#bytes === 0 ? whole : whole.subarray(0, end);
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

// The end of a call as HTTP/2 headers: status, message and details ("Trailers"), or an answer that is not gRPC's.

export const okTrailers: OutgoingHttpHeaders = { "grpc-status": 0 };

/** @param metadata undefined if the headers already carry it. */
export function errorTrailers(
  { code, message, details }: GrpcStatus,
  metadata: Metadata | undefined,
): OutgoingHttpHeaders {
  const trailers: OutgoingHttpHeaders = {
    "grpc-status": canonicalCodes[code].grpc,
    // Escapes more than gRPC requires, and all that it does.
    "grpc-message": encodeURI(message),
  };
  if (details !== undefined) trailers[detailsTrailer] = binaryMetadata.encode(details);
  return metadata === undefined ? trailers : { ...metadataHeaders(metadata), ...trailers };
}

function messageIn(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed escapes are shown as they are, as gRPC asks of clients.
    return text;
  }
}

export function statusMissing(httpStatus: number | undefined): CallError {
  const code = codeOfForeignAnswer(httpStatus);
  return new ClientSideError(code, `the answer has HTTP status ${httpStatus ?? "none"}, and no gRPC status`);
}

/** The error in trailers, or in the headers of an answer without a body; undefined for OK. */
export function errorInTrailers(trailers: IncomingHttpHeaders, httpStatus: number | undefined): CallError | undefined {
  const status = trailers["grpc-status"];
  if (status === "0") return undefined;
  if (typeof status !== "string") return statusMissing(httpStatus);
  const details = trailers[detailsTrailer];
  const withDetails =
    typeof details === "string" ? errorInDetails(Buffer.from(details, "base64"), undefined) : undefined;
  const message = trailers["grpc-message"];
  return (
    withDetails ?? new CallError(codeFromGrpc(Number(status)), typeof message === "string" ? messageIn(message) : "")
  );
}
