// The memory of data that calls store, and how much of it one answer lists: neither grows without end, whatever callers send.
import { CallError } from "../basics/call-error.ts";

/** What the data of a service may take in memory, and that of all sessions of a fake. */
export const maxStoredBytes = 256 * 1024 * 1024;

/** The memory of some stored data, which may be a part of more. */
export class StoredMemory {
  readonly #what: string;
  readonly #maxBytes: number;
  #whole: StoredMemory | undefined;
  #bytes = 0;

  /** @param what the data in errors, in the plural */
  constructor(what: string, maxBytes = maxStoredBytes, whole?: StoredMemory) {
    this.#what = what;
    this.#maxBytes = maxBytes;
    this.#whole = whole;
  }

  /** Counts bytes that are added, or removed if negative. Throws RESOURCE_EXHAUSTED, and counts nothing, for more than the limit. */
  take(bytes: number): void {
    if (bytes > 0 && this.#bytes + bytes > this.#maxBytes)
      throw new CallError("RESOURCE_EXHAUSTED", `${this.#what} exceed ${this.#maxBytes} bytes: delete some`);
    this.#whole?.take(bytes);
    this.#bytes += bytes;
  }

  /** Gives all of it back to the whole, which counts it no longer. */
  leave(): void {
    this.#whole?.take(-this.#bytes);
    this.#whole = undefined;
  }
}

/** What the entries of one answer may take in memory: about as much as clients of gRPC accept by default. */
export const maxListedBytes = 4 * 1024 * 1024;

/** How many entries one answer may list, from the first on: at least one. */
export function listableCount<E>(entries: readonly E[], bytesOf: (entry: E) => number): number {
  let bytes = 0;
  const most = entries.findIndex((entry) => (bytes += bytesOf(entry)) > maxListedBytes);
  return most === -1 ? entries.length : Math.max(1, most);
}

/** Throws RESOURCE_EXHAUSTED for more entries than one answer may list. */
export function requireListable<E>(entries: readonly E[], bytesOf: (entry: E) => number): void {
  if (listableCount(entries, bytesOf) === entries.length) return;
  throw new CallError("RESOURCE_EXHAUSTED", `the answer would exceed ${maxListedBytes} bytes: ask for fewer entries`);
}
