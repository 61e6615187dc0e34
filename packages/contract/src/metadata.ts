// What travels beside the messages of a call: names and values that gRPC calls metadata and HTTP calls headers, by one set of rules.
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { CallError } from "./call-error.ts";

/**
 * Names in lower case. A name that came several times is there once, its values joined with ", " in their order (RFC 9110, section
 * 5.3). Values of names that end with `-bin` are bytes in base64; see {@link binaryMetadata}.
 */
export type Metadata = ReadonlyMap<string, string>;

/** Belongs to HTTP itself or to a style, on requests and answers alike: callers and handlers can neither set nor rely on it. */
const reserved: ReadonlySet<string> = new Set([
  // Headers are objects in Node.js, where this is no header: gRPC's library would lose it without a word.
  "__proto__",
  "accept",
  "accept-encoding",
  "allow",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expect",
  "host",
  "keep-alive",
  "location",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "vary",
  "www-authenticate",
  "x-request-timeout-ms",
]);

/** The reserved names that are not told by how they begin, in alphabetical order. */
export const reservedMetadataNames: readonly string[] = [...reserved].toSorted();

/** True for names that the styles keep for themselves: of HTTP's framing, of gRPC (`grpc-…`), pseudo-headers. */
export function isReservedMetadata(name: string): boolean {
  return reserved.has(name) || name.startsWith("grpc-") || name.startsWith(":");
}

// gRPC's ASCII-Value and the characters of its header names, which are HTTP's minus the ones that gRPC does not know:
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#requests
const namePattern = /^[0-9a-z_.-]+$/;
const valuePattern = /^[\x20-\x7e]*$/;
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What is wrong with a name and value; undefined when every style can carry them and hands them on unchanged. */
export function metadataFault(name: string, value: string): string | undefined {
  if (!namePattern.test(name))
    return `${JSON.stringify(name)} is no metadata name: lower case, digits, "_", "." and "-"`;
  if (isReservedMetadata(name)) return `${name} belongs to the protocols and cannot be set`;
  if (name.endsWith("-bin")) return base64Pattern.test(value) ? undefined : `${name} must be bytes in base64`;
  if (!valuePattern.test(value)) return `${name} must be printable ASCII; bytes go into a name that ends with -bin`;
  return value === value.trim() ? undefined : `${name} must not begin or end with a space`;
}

/**
 * Bytes of the metadata of one request or answer, counted as HTTP/2 counts headers: names, values and 32 for each pair (RFC 9113,
 * section 6.5.2). What the protocols add has room beside it in the 64 KB that servers and clients here read.
 */
export const maxMetadataBytes = 32 * 1024;

const bytesPerPair = 32;

/**
 * Throws a CallError INVALID_ARGUMENT for the first name or value that a style could not carry, RESOURCE_EXHAUSTED for more of them than
 * {@link maxMetadataBytes}.
 */
export function checkMetadata(entries: Iterable<readonly [name: string, value: string]>): void {
  let bytes = 0;
  for (const [name, value] of entries) {
    const fault = metadataFault(name, value);
    if (fault !== undefined) throw new CallError("INVALID_ARGUMENT", `metadata: ${fault}`);
    bytes += name.length + value.length + bytesPerPair;
  }
  if (bytes > maxMetadataBytes) {
    throw new CallError("RESOURCE_EXHAUSTED", `metadata: ${bytes} bytes, more than ${maxMetadataBytes}`);
  }
}

/** Bytes as the value of a name that ends with `-bin`. */
export const binaryMetadata = {
  encode: (bytes: Uint8Array): string => base64Encode(bytes, "std_raw"),
  /** Padded or not. Throws an Error for what is no base64. */
  decode: (value: string): Uint8Array => base64Decode(value),
} as const;

/** Metadata without the names that styles keep for themselves: what a caller hears of an answer. */
export function ownMetadata(entries: Iterable<readonly [name: string, value: string]>): Metadata {
  return new Map([...entries].filter(([name]) => !isReservedMetadata(name)));
}
