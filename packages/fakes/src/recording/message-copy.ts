// Copies of messages, for a log: a tenth of what encoding them costs. Whoever answered by a function of their own may change the original later.
import type { Message } from "@bufbuild/protobuf";

/** What an object, a list or a value in one takes at the least, in bytes. */
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
    // Messages whose fields know whether they are set have their defaults there.
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
  /** What it takes in memory, about. */
  readonly bytes: number;
}

/** A copy of all that a message holds; undefined when that is more than `maxBytes`. */
export function messageCopy(message: Message, maxBytes: number): MessageCopy | undefined {
  const copier = new Copier(maxBytes);
  try {
    return { message: copier.object(message), bytes: copier.bytes };
  } catch (thrown) {
    if (thrown instanceof LimitExceeded) return undefined;
    throw thrown;
  }
}
