// Messages of a call as a log keeps them: encoded, because whoever answered may change them later, and made JSON when somebody looks.
import { fromBinary, toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { redacted } from "./redacted.ts";

/** Of one direction of one call; what is beyond is counted only. */
const maxMessages = 1_000;
const maxKeptBytes = 1024 * 1024;

export class KeptMessages {
  readonly #schema: DescMessage;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #omitted = 0;

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  /** Of all messages in protobuf's binary format. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What keeping them takes. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  get omitted(): number {
    return this.#omitted;
  }

  add(message: Message): void {
    let encoded: Uint8Array;
    try {
      encoded = toBinary(this.#schema, message);
    } catch {
      // A handler may answer what cannot be written. Its caller hears that from the stack; a log must not be what fails a call.
      this.#omitted += 1;
      return;
    }
    this.#bytes += encoded.length;
    if (this.#kept.length >= maxMessages || this.#keptBytes + encoded.length > maxKeptBytes) {
      this.#omitted += 1;
      return;
    }
    this.#keptBytes += encoded.length;
    this.#kept.push(encoded);
  }

  /** In ProtoJSON, with what the contract marks `debug_redact` masked. An `Any` of a type that nobody knows makes its message null. */
  json({ registry }: Contract): readonly JsonValue[] {
    return this.#kept.map((encoded) => {
      try {
        const message = redacted(this.#schema, fromBinary(this.#schema, encoded), registry);
        return toJson(this.#schema, message, { registry });
      } catch {
        return null;
      }
    });
  }
}
