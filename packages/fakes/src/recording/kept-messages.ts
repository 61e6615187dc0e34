// The messages of one direction of a stream in a log: the first messages, and the bytes of all.
import type { DescMessage, JsonValue, Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { encodedBytes, maxKeptBytes, shownMessage, type Keep } from "./kept-message.ts";

/** Messages beyond the limit are only counted. */
const maxMessages = 1_000;

export class KeptMessages {
  readonly #schema: DescMessage;
  readonly #keep: Keep;
  readonly #messages: Message[] = [];
  #keptBytes = 0;
  #omitted = 0;
  #omittedBytes = 0;

  constructor(schema: DescMessage, keep: Keep) {
    this.#schema = schema;
    this.#keep = keep;
  }

  /** The size of all messages in protobuf's binary format. */
  get bytes(): number {
    return this.#messages.reduce((sum, message) => sum + encodedBytes(this.#schema, message), this.#omittedBytes);
  }

  /** The memory that the kept messages use. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  get omitted(): number {
    return this.#omitted;
  }

  add(message: Message): void {
    const freeBytes = this.#messages.length < maxMessages ? maxKeptBytes - this.#keptBytes : 0;
    const kept = this.#keep(message, freeBytes);
    if (kept === undefined) {
      this.#omitted += 1;
      this.#omittedBytes += encodedBytes(this.#schema, message);
      return;
    }
    this.#keptBytes += kept.bytes;
    this.#messages.push(kept.message);
  }

  json(contract: Contract): readonly JsonValue[] {
    return this.#messages.map((message) => shownMessage(this.#schema, message, contract));
  }
}
