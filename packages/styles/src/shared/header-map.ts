// HTTP headers as the metadata of a call, converted on first use, because most handlers never read them.
import { detachKey, type KeptMetadata } from "@roundtrip/contract";

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
