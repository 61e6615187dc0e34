// Copies messages for a log, in a tenth of the time of encoding them. Handlers may change the original later.
import type { Message } from "@bufbuild/protobuf";

/** The minimum size in bytes of an object, a list or a value. */
export const objectBytes = 48;
export const valueBytes = 8;

/** Thrown by a copier that exceeds its limit, and caught where the copy starts. */
class LimitExceeded extends Error {}

/** Copies values up to a size limit. */
class Copier {
  bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  object<T extends object>(source: T): T {
    this.#take(objectBytes);
    const copy = { ...source } as Record<string, unknown>;
    for (const key of Object.keys(copy)) {
      const value = copy[key];
      if (typeof value === "object" && value !== null) copy[key] = this.#reference(value);
      else this.#take(typeof value === "string" ? value.length + valueBytes : valueBytes);
    }
    // Messages with explicit field presence have their defaults on the prototype.
    const prototype: unknown = Object.getPrototypeOf(source);
    if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype as object);
    return copy as T;
  }

  #reference(value: object): object {
    if (value instanceof Uint8Array) {
      this.#take(objectBytes + value.length);
      return value.slice();
    }
    return Array.isArray(value) ? this.#list(value) : this.object(value);
  }

  #list(source: readonly unknown[]): unknown[] {
    this.#take(objectBytes);
    return source.map((value) => {
      if (typeof value === "object" && value !== null) return this.#reference(value);
      this.#take(typeof value === "string" ? value.length + valueBytes : valueBytes);
      return value;
    });
  }

  #take(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#maxBytes) throw new LimitExceeded();
  }
}

export interface MessageCopy {
  readonly message: Message;
  /** An estimate of its size in memory. */
  readonly bytes: number;
}

/** A deep copy of a message; undefined if it exceeds `maxBytes`. */
export function messageCopy(message: Message, maxBytes: number): MessageCopy | undefined {
  const copier = new Copier(maxBytes);
  try {
    return { message: copier.object(message), bytes: copier.bytes };
  } catch (thrown) {
    if (thrown instanceof LimitExceeded) return undefined;
    throw thrown;
  }
}
