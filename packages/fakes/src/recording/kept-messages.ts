// Messages of a call as a log keeps them: copied, and encoded or made JSON when somebody looks.
import { toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { messageCopy } from "./message-copy.ts";
import { redactedCopy } from "./redacted.ts";

/** Of one direction of one call; what is beyond is counted only. */
const maxMessages = 1_000;
const maxKeptBytes = 1024 * 1024;

export class KeptMessages {
  readonly #schema: DescMessage;
  // Most calls have one message each way, and a log keeps thousands of calls: a list would take more than the message.
  #first: Message | undefined;
  #others: Message[] | undefined;
  #count = 0;
  #keptBytes = 0;
  #omitted = 0;
  #omittedBytes = 0;

  constructor(schema: DescMessage) {
    this.#schema = schema;
  }

  /** Of all messages in protobuf's binary format. */
  get bytes(): number {
    return this.#kept().reduce((sum, message) => sum + this.#encodedBytes(message), this.#omittedBytes);
  }

  /** What keeping them takes. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  get omitted(): number {
    return this.#omitted;
  }

  add(message: Message): void {
    const room = this.#count < maxMessages ? maxKeptBytes - this.#keptBytes : 0;
    const copy = messageCopy(message, room);
    if (copy === undefined) {
      this.#omitted += 1;
      this.#omittedBytes += this.#encodedBytes(message);
      return;
    }
    this.#keptBytes += copy.bytes;
    this.#count += 1;
    if (this.#first === undefined) this.#first = copy.message;
    else (this.#others ??= []).push(copy.message);
  }

  /** In ProtoJSON, with what the contract marks `debug_redact` masked. An `Any` of a type that nobody knows makes its message null. */
  json({ registry }: Contract): readonly JsonValue[] {
    return this.#kept().map((message) => {
      try {
        return toJson(this.#schema, redactedCopy(this.#schema, message, registry), { registry });
      } catch {
        return null;
      }
    });
  }

  #kept(): readonly Message[] {
    return this.#first === undefined ? [] : [this.#first, ...(this.#others ?? [])];
  }

  #encodedBytes(message: Message): number {
    try {
      return toBinary(this.#schema, message).length;
    } catch {
      // A handler may answer what cannot be written. Its caller hears that from the stack.
      return 0;
    }
  }
}
