// A recorded call that streams, in either direction or both.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Metadata } from "@roundtrip/contract";
import { KeptMessages } from "./kept-messages.ts";
import { RecordedCall, type RecordedOperation } from "./recorded-call.ts";

export class RecordedStream extends RecordedCall {
  readonly #requests: KeptMessages;
  readonly #responses: KeptMessages;

  constructor(of: RecordedOperation, metadata: Metadata) {
    super(of, metadata);
    const { input, output } = of.operation;
    this.#requests = new KeptMessages(input, of.keepRequest);
    this.#responses = new KeptMessages(output, of.keepResponse);
  }

  get requests(): readonly JsonValue[] {
    return this.#requests.json(this.of.log.contract);
  }

  get responses(): readonly JsonValue[] {
    return this.#responses.json(this.of.log.contract);
  }

  get omittedMessages(): number {
    return this.#requests.omitted + this.#responses.omitted;
  }

  get requestBytes(): number {
    return this.#requests.bytes;
  }

  get responseBytes(): number {
    return this.#responses.bytes;
  }

  protected get messageBytes(): number {
    return this.#requests.keptBytes + this.#responses.keptBytes;
  }

  addRequest(request: Message): void {
    this.#requests.add(request);
  }

  addResponse(response: Message): void {
    this.#responses.add(response);
  }
}
