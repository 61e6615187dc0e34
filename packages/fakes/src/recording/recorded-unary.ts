// A recorded call of one request and one answer. Most calls are unary, and logs keep thousands of them.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import { encodedBytes, maxKeptBytes, shownMessage } from "./kept-message.ts";
import { RecordedCall } from "./recorded-call.ts";

/** The bytes of messages that are too large to keep. */
interface Omitted {
  request: number | undefined;
  response: number | undefined;
}

export class RecordedUnary extends RecordedCall {
  #request: Message | undefined;
  #response: Message | undefined;
  #messageBytes = 0;
  #omitted: Omitted | undefined;

  get requests(): readonly JsonValue[] {
    const { log, operation } = this.of;
    return this.#request === undefined ? [] : [shownMessage(operation.input, this.#request, log.contract)];
  }

  get responses(): readonly JsonValue[] {
    const { log, operation } = this.of;
    return this.#response === undefined ? [] : [shownMessage(operation.output, this.#response, log.contract)];
  }

  get omittedMessages(): number {
    const { request, response } = this.#omitted ?? {};
    return (request === undefined ? 0 : 1) + (response === undefined ? 0 : 1);
  }

  get requestBytes(): number {
    if (this.#request === undefined) return this.#omitted?.request ?? 0;
    return encodedBytes(this.of.operation.input, this.#request);
  }

  get responseBytes(): number {
    if (this.#response === undefined) return this.#omitted?.response ?? 0;
    return encodedBytes(this.of.operation.output, this.#response);
  }

  protected get messageBytes(): number {
    return this.#messageBytes;
  }

  addRequest(request: Message): void {
    const kept = this.of.keepRequest(request, maxKeptBytes);
    if (kept === undefined) this.#omit("request", encodedBytes(this.of.operation.input, request));
    else {
      this.#request = kept.message;
      this.#messageBytes += kept.bytes;
    }
  }

  addResponse(response: Message): void {
    const kept = this.of.keepResponse(response, maxKeptBytes);
    if (kept === undefined) this.#omit("response", encodedBytes(this.of.operation.output, response));
    else {
      this.#response = kept.message;
      this.#messageBytes += kept.bytes;
    }
  }

  #omit(which: keyof Omitted, bytes: number): void {
    this.#omitted ??= { request: undefined, response: undefined };
    this.#omitted[which] = bytes;
  }
}
