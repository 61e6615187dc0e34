// Compression of single messages ("Message-Encoding"), by https://github.com/grpc/grpc/blob/master/doc/compression.md.
import type { CanonicalCode } from "@roundtrip/contract";
import { CallError } from "@roundtrip/contract";
import { deflateSync, gunzipSync, gzipSync, inflateSync, type ZlibOptions } from "node:zlib";
import { framed } from "./wire-form.ts";

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

export function tooLarge({ message }: Sender, maxBytes: number): CallError {
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
export function unpacked(
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
