// A call of one request and one answer: most calls are such, and logs keep thousands of them.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import { encodedBytes, maxKeptBytes, shownMessage, type Keep } from "./kept-message.ts";
import { RecordedCall } from "./recorded-call.ts";

export class RecordedUnary extends RecordedCall {
  #request: Message | undefined;
  #response: Message | undefined;
  #messageBytes = 0;
  /** Messages that are too large to be kept. */
  #omitted = 0;
  #omittedRequestBytes = 0;
  #omittedResponseBytes = 0;

  get requests(): readonly JsonValue[] {
    return this.#request === undefined ? [] : [shownMessage(this.of.input, this.#request, this.contract)];
  }

  get responses(): readonly JsonValue[] {
    return this.#response === undefined ? [] : [shownMessage(this.of.output, this.#response, this.contract)];
  }

  get omittedMessages(): number {
    return this.#omitted;
  }

  get requestBytes(): number {
    return this.#request === undefined ? this.#omittedRequestBytes : encodedBytes(this.of.input, this.#request);
  }

  get responseBytes(): number {
    return this.#response === undefined ? this.#omittedResponseBytes : encodedBytes(this.of.output, this.#response);
  }

  protected get messageBytes(): number {
    return this.#messageBytes;
  }

  hearRequest(request: Message, keep: Keep): void {
    const kept = keep(request, maxKeptBytes);
    if (kept === undefined) {
      this.#omitted += 1;
      this.#omittedRequestBytes = encodedBytes(this.of.input, request);
      return;
    }
    this.#request = kept.message;
    this.#messageBytes += kept.bytes;
  }

  hearResponse(response: Message, keep: Keep): void {
    const kept = keep(response, maxKeptBytes);
    if (kept === undefined) {
      this.#omitted += 1;
      this.#omittedResponseBytes = encodedBytes(this.of.output, response);
      return;
    }
    this.#response = kept.message;
    this.#messageBytes += kept.bytes;
  }
}
