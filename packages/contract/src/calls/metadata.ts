// Metadata of calls, called headers in HTTP, with one set of rules for all styles.
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { CallError } from "../basics/call-error.ts";

/**
 * Names are in lower case. The values of a repeated name are joined with ", " in their order (RFC 9110, section 5.3). Values of names that
 * end with `-bin` are bytes in base64; see {@link binaryMetadata}.
 */
export type Metadata = ReadonlyMap<string, string>;

/** Names that HTTP or a style uses, on requests and answers. Callers and handlers can neither set nor read them. */
const reserved: ReadonlySet<string> = new Set([
  // Node.js keeps headers in objects, where this name is not a header: gRPC's library would drop it silently.
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
  "http2-settings",
  "keep-alive",
  "location",
  "proxy-connection",
  "soapaction",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "vary",
  "www-authenticate",
  "x-request-timeout-ms",
]);

/** What reserves a name by its beginning: gRPC, Connect with its trailers in headers, and pseudo-headers. */
const reservedPrefix = /^(?:grpc-|connect-|trailer-|:)/;

/** True for reserved names: HTTP's framing, gRPC (`grpc-…`), Connect (`connect-…`, `trailer-…`) and pseudo-headers. */
export function isReservedMetadata(name: string): boolean {
  return reserved.has(name) || reservedPrefix.test(name);
}

// gRPC's ASCII-Value, and the characters of its header names, which are a part of HTTP's:
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#requests
const namePattern = /^[0-9a-z_.-]+$/;
const valuePattern = /^[\x20-\x7e]*$/;
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Why a name or value is invalid; undefined if every style carries both unchanged. */
export function metadataFault(name: string, value: string): string | undefined {
  if (!namePattern.test(name))
    return `${JSON.stringify(name)} is not a valid name: use lower case, digits, "_", "." and "-"`;
  if (isReservedMetadata(name)) return `${name} is reserved by the protocols: use another name`;
  if (name.endsWith("-bin")) return base64Pattern.test(value) ? undefined : `${name} must be bytes in base64`;
  if (!valuePattern.test(value)) return `${name} must be printable ASCII: send bytes under a name that ends with -bin`;
  return value === value.trim() ? undefined : `${name} must not begin or end with a space`;
}

/**
 * The maximum size of the metadata of one request or answer, counted as HTTP/2 counts headers: names, values and 32 bytes for each pair
 * (RFC 9113, section 6.5.2). Servers and clients here read 64 KB, which leaves enough for the headers of the protocols.
 */
export const maxMetadataBytes = 32 * 1024;

const bytesPerPair = 32;

/**
 * Throws a CallError: INVALID_ARGUMENT for the first invalid name or value, RESOURCE_EXHAUSTED for metadata above {@link maxMetadataBytes}.
 */
export function checkMetadata(entries: Iterable<readonly [name: string, value: string]>): void {
  let bytes = 0;
  for (const [name, value] of entries) {
    const fault = metadataFault(name, value);
    if (fault !== undefined) throw new CallError("INVALID_ARGUMENT", `metadata: ${fault}`);
    bytes += name.length + value.length + bytesPerPair;
  }
  if (bytes > maxMetadataBytes) {
    throw new CallError("RESOURCE_EXHAUSTED", `metadata must be at most ${maxMetadataBytes} bytes, got ${bytes}`);
  }
}

/** Bytes as the value of a name that ends with `-bin`. */
export const binaryMetadata = {
  encode: (bytes: Uint8Array): string => base64Encode(bytes, "std_raw"),
  /** Decodes base64 with or without padding. Throws an Error for other text. */
  decode: (value: string): Uint8Array => base64Decode(value),
} as const;

/** Metadata without reserved names, as callers and handlers get it. */
export function ownMetadata(entries: Iterable<readonly [name: string, value: string]>): Metadata {
  return new Map([...entries].filter(([name]) => !isReservedMetadata(name)));
}

/** How metadata that refers to a whole request is kept after the call. */
export const detachKey = Symbol("detached metadata");

/** Metadata that can be kept without the request from which it is read. */
interface DetachableMetadata extends Metadata {
  [detachKey]?(): KeptMetadata;
}

export interface KeptMetadata {
  readonly metadata: Metadata;
  /** An estimate of its size in memory. */
  readonly bytes: number;
}

/** The same metadata for a log, which keeps it longer than the call lasts. Costs almost nothing where a style has a form for it. */
export function detachedMetadata(metadata: DetachableMetadata): KeptMetadata {
  const detached = metadata[detachKey]?.();
  if (detached !== undefined) return detached;
  let bytes = 0;
  for (const [name, value] of metadata) bytes += name.length + value.length + bytesPerPair;
  return { metadata, bytes };
}
