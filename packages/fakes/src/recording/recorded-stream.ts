// A call that streams, in either direction or both.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Keep } from "./kept-message.ts";
import { KeptMessages } from "./kept-messages.ts";
import { RecordedCall, type BegunCall } from "./recorded-call.ts";

export class RecordedStream extends RecordedCall {
  readonly #requests: KeptMessages;
  readonly #responses: KeptMessages;

  constructor(begun: BegunCall, { request, response }: { readonly request: Keep; readonly response: Keep }) {
    super(begun);
    this.#requests = new KeptMessages(begun.operation.input, request);
    this.#responses = new KeptMessages(begun.operation.output, response);
  }

  get requests(): readonly JsonValue[] {
    return this.#requests.json(this.contract);
  }

  get responses(): readonly JsonValue[] {
    return this.#responses.json(this.contract);
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

  hearRequest(request: Message): void {
    this.#requests.add(request);
  }

  hearResponse(response: Message): void {
    this.#responses.add(response);
  }
}
