// The messages of one direction of a call in a log: the first messages in protobuf's binary format, and the bytes of all. So nobody can change what
// is logged, and its size is known.
import { fromBinary, toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { redacting } from "../basics/redacted.ts";

/** Messages beyond these limits are only counted. */
const maxMessages = 1_000;
const maxKeptBytes = 1024 * 1024;

/** The memory that an encoded message takes beside its bytes. */
const objectBytes = 128;

export class KeptMessages {
  readonly #schema: DescMessage;
  readonly #encoded: Uint8Array[] = [];
  /** The size of all messages in protobuf's binary format. */
  bytes = 0;
  /** The number of messages that are only counted. */
  omitted = 0;
  /** The memory that the kept messages use. */
  keptBytes = 0;

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  /** The messages that are kept, with their hidden fields. */
  get all(): readonly Message[] {
    return this.#encoded.map((bytes) => fromBinary(this.#schema, bytes));
  }

  add(message: Message): void {
    const encoded = this.#encode(message);
    const memory = (encoded?.length ?? 0) + objectBytes;
    this.bytes += encoded?.length ?? 0;
    if (encoded === undefined || this.#encoded.length >= maxMessages || this.keptBytes + memory > maxKeptBytes) {
      this.omitted += 1;
      return;
    }
    this.keptBytes += memory;
    this.#encoded.push(encoded);
  }

  /** In ProtoJSON, with fields that the contract marks `debug_redact` masked. An `Any` of an unknown type makes its message null. */
  json({ registry }: Contract): readonly JsonValue[] {
    return this.all.map((message) => {
      try {
        return toJson(this.#schema, redacting.copyOf(this.#schema, message, registry), { registry });
      } catch {
        return null;
      }
    });
  }

  /** Undefined for a message that cannot be encoded, such as one of a handler. The stack reports that to the caller. */
  #encode(message: Message): Uint8Array | undefined {
    try {
      return toBinary(this.#schema, message);
    } catch {
      return undefined;
    }
  }
}
