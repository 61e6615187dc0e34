// Headers of a call: reading them, metadata, and deadlines.
import { binaryMetadata, CallError, detachKey, endlessMs, type KeptMetadata, type Metadata } from "@roundtrip/contract";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";

export const jsonMediaType = "application/json";

// HTTP headers as the metadata of a call, converted on first use, because most handlers never read them.

/** Headers of Node.js and undici: names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The estimated size of a header beside its texts, in bytes. */
const bytesPerHeader = 32;

/** The headers of a request as they came: names and values in turn. */
interface RawHeaders {
  readonly rawHeaders: readonly string[];
}

function hasRawHeaders(source: unknown): source is RawHeaders {
  return typeof source === "object" && source !== null && "rawHeaders" in source;
}

function joinedRaw(raw: readonly string[]): Headers {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const value = raw[at + 1] as string;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** The headers of a request, names in lower case; repeated headers are joined with ", ". */
export class HeaderMap<S> implements ReadonlyMap<string, string> {
  readonly #source: S;
  readonly #read: (source: S) => Headers;
  readonly #lacks: (source: S, name: string) => boolean;
  #map: ReadonlyMap<string, string> | undefined;

  /** @param read returns all headers; called once, on first use. @param lacks whether a name is certainly missing, as most looked-up names are. */
  constructor(source: S, read: (source: S) => Headers, lacks: (source: S, name: string) => boolean = () => false) {
    this.#source = source;
    this.#read = read;
    this.#lacks = lacks;
  }

  get #entries(): ReadonlyMap<string, string> {
    return (this.#map ??= new Map(
      Object.entries(this.#read(this.#source)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")] as const],
      ),
    ));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): string | undefined {
    return this.#surelyLacks(name) ? undefined : this.#entries.get(name);
  }

  has(name: string): boolean {
    return !this.#surelyLacks(name) && this.#entries.has(name);
  }

  keys(): MapIterator<string> {
    return this.#entries.keys();
  }

  values(): MapIterator<string> {
    return this.#entries.values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#entries.entries();
  }

  forEach(visit: (value: string, key: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [key, value] of this.#entries) visit(value, key, this);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#entries.entries();
  }

  /** Without the rest of a request over HTTP/1.1. Other sources have only headers. */
  [detachKey](): KeptMetadata {
    const source: unknown = this.#source;
    if (this.#map !== undefined || !hasRawHeaders(source)) return { metadata: this.#entries, bytes: this.#bytes };
    const { rawHeaders } = source;
    let bytes = 0;
    for (const text of rawHeaders) bytes += text.length + bytesPerHeader / 2;
    return { metadata: new HeaderMap(rawHeaders, joinedRaw), bytes };
  }

  get #bytes(): number {
    let bytes = 0;
    for (const [name, value] of this.#entries) bytes += name.length + value.length + bytesPerHeader;
    return bytes;
  }

  #surelyLacks(name: string): boolean {
    return this.#map === undefined && this.#lacks(this.#source, name);
  }
}

// Metadata as HTTP/2 headers of Node.js, in both directions. Bytes are base64 text on the wire and in the contract's form.

function isBinary(name: string): boolean {
  return name.endsWith("-bin");
}

/** @param metadata valid for every style. */
export function metadataHeaders(metadata: Metadata): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, text] of metadata) headers[name] = isBinary(name) ? text.replace(/=+$/, "") : text;
  return headers;
}

/** Several values of one name arrive joined; other clients may pad base64, or use its URL alphabet. */
function withoutPadding(text: string): string {
  const values = text.split(",").map((value) => binaryMetadata.encode(Buffer.from(value.trim(), "base64")));
  return values.join(", ");
}

/** All received headers except HTTP's pseudo-headers; reserved names included. */
export function receivedMetadata(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || name.startsWith(":")) return [];
    const text = typeof value === "string" ? value : value.join(", ");
    return [[name, isBinary(name) ? withoutPadding(text) : text] as const];
  });
  return Object.fromEntries(entries);
}

function lacksHeader(headers: IncomingHttpHeaders, name: string): boolean {
  return !(name in headers);
}

/** Headers of Node.js as the metadata of a call, in either version of HTTP. */
export function metadataIn(headers: IncomingHttpHeaders): HeaderMap<IncomingHttpHeaders> {
  return new HeaderMap(headers, receivedMetadata, lacksHeader);
}

// The header `grpc-timeout` ("Timeout"): at most eight digits and a unit.

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
const mostDigits = 1e8;

/** @param timeoutMs less than 10^11, which is three years. */
export function timeoutText(timeoutMs: number): string {
  const wholeMs = Math.ceil(timeoutMs);
  return wholeMs < mostDigits ? `${wholeMs}m` : `${Math.ceil(timeoutMs / 1_000)}S`;
}

/** The time in milliseconds; undefined for malformed text. */
export function timeoutMsIn(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit] as number);
}

// The deadline of an HTTP call, for which there is no standard header.

/** The caller's time-out, in whole milliseconds. */
export const deadlineHeader = "x-request-timeout-ms";

/** The longest time-out: as many digits as a number keeps exactly. */
export const longestTimeoutMs = 999_999_999_999_999;

/** Adds the deadline to the headers of a call. */
export function withDeadline(
  headers: Readonly<Record<string, string>>,
  timeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return headers;
  return { ...headers, [deadlineHeader]: String(Math.max(0, Math.ceil(timeoutMs))) };
}

/** The time-out of a request in milliseconds; undefined without one. Throws INVALID_ARGUMENT for an invalid one. */
export function deadlineOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new CallError("INVALID_ARGUMENT", `${deadlineHeader}: not a whole number of milliseconds`);
  }
  return Number(header);
}
