// The messages of one direction of a call in a log: the first messages, and the bytes of all. Messages do not change after they were sent or
// answered, so most are kept without a copy, and are encoded or converted to JSON when the log is read.
import { toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { redactedCopy } from "../basics/redacted.ts";

/** Messages beyond these limits are only counted. */
const maxMessages = 1_000;
const maxKeptBytes = 1024 * 1024;

/** The minimum size in bytes of an object, a list or a value. */
const objectBytes = 48;
const valueBytes = 8;

/** An estimate of a value's size in memory, in bytes. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return value.length + valueBytes;
  if (typeof value !== "object" || value === null) return valueBytes;
  if (value instanceof Uint8Array) return objectBytes + value.length;
  let bytes = objectBytes;
  for (const part of Object.values(value)) bytes += memoryOf(part);
  return bytes;
}

/** Bytes may be a small part of a large buffer from the network, which would stay in memory. */
function holdsBytes(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Uint8Array || Object.values(value).some(holdsBytes);
}

/** A deep copy of a message. */
export function copyOf<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value) as T;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name]);
  // Messages with explicit field presence have their defaults on the prototype.
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(value) as object) as T;
}

/** The length of a message in protobuf's binary format. */
function encodedBytes(schema: DescMessage, message: Message): number {
  try {
    return toBinary(schema, message).length;
  } catch {
    // A handler may return a message that cannot be encoded. The stack reports that to the caller.
    return 0;
  }
}

export class KeptMessages {
  readonly #schema: DescMessage;
  readonly #mayChange: boolean;
  readonly #messages: Message[] = [];
  #keptBytes = 0;
  #omitted = 0;
  #omittedBytes = 0;

  /** @param mayChange whether messages may change later, so that they are copied */
  constructor(schema: DescMessage, mayChange: boolean) {
    this.#schema = schema;
    this.#mayChange = mayChange;
  }

  /** The size of all messages in protobuf's binary format. */
  get bytes(): number {
    return this.#messages.reduce((sum, message) => sum + encodedBytes(this.#schema, message), this.#omittedBytes);
  }

  /** The memory that the kept messages use. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** The messages that are kept, with their hidden fields. They must not be changed. */
  get all(): readonly Message[] {
    return this.#messages;
  }

  get omitted(): number {
    return this.#omitted;
  }

  add(message: Message): void {
    const bytes = memoryOf(message);
    if (this.#messages.length >= maxMessages || this.#keptBytes + bytes > maxKeptBytes) {
      this.#omitted += 1;
      this.#omittedBytes += encodedBytes(this.#schema, message);
      return;
    }
    this.#keptBytes += bytes;
    this.#messages.push(this.#mayChange || holdsBytes(message) ? copyOf(message) : message);
  }

  /** In ProtoJSON, with fields that the contract marks `debug_redact` masked. An `Any` of an unknown type makes its message null. */
  json({ registry }: Contract): readonly JsonValue[] {
    return this.#messages.map((message) => {
      try {
        return toJson(this.#schema, redactedCopy(this.#schema, message, registry), { registry });
      } catch {
        return null;
      }
    });
  }
}
