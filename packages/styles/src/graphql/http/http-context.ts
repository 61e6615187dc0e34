// The HTTP request behind a resolver: its deadline, its headers, and whether its caller is still connected.
import { ConnectionCut, type ServerCall } from "@roundtrip/contract";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { HeaderMap } from "../../shared/header-map.ts";
import { cutShort, closeConnection } from "../../shared/http/http-cut.ts";
import { deadlineHeader } from "../../shared/http/http-deadline.ts";
import { SharedCalls } from "../../shared/http/shared-calls.ts";

const asTheyCame = (headers: IncomingHttpHeaders) => headers;
const lacksHeader = (headers: IncomingHttpHeaders, name: string) => headers[name] === undefined;

/** One request. Each root field of its document is a separate, concurrent call. */
export class HttpContext extends SharedCalls<IncomingHttpHeaders> {
  readonly #response: ServerResponse;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    super(new HeaderMap(headers, asTheyCame, lacksHeader), headers[deadlineHeader]);
    this.#response = response;
  }

  protected get isGone(): boolean {
    return this.#response.destroyed;
  }

  /** Runs a stream until its deadline, or until the caller disconnects or stops reading. `fail` converts what `answers` throws. */
  async *answerStream<T>(
    answers: (call: ServerCall) => AsyncIterable<T>,
    fail: (thrown: unknown) => never,
  ): AsyncGenerator<T, void, undefined> {
    let call: ServerCall | undefined;
    let isOver = false;
    let hasBegun = false;
    try {
      call = this.begin();
      this.watched().add(call);
      for await (const message of answers(call)) {
        if (!hasBegun) this.sendMetadata(call);
        hasBegun = true;
        yield message;
      }
      isOver = true;
      if (!hasBegun) this.sendMetadata(call);
    } catch (thrown) {
      if (call !== undefined && !hasBegun) this.sendMetadata(call);
      if (thrown instanceof ConnectionCut) yield this.partOf(thrown) as T;
      else fail(thrown);
    } finally {
      if (call !== undefined) this.#endStream(call, isOver);
    }
  }

  protected headerOf(name: string): string | undefined {
    const value = this.#response.getHeader(name);
    return value === undefined ? undefined : String(value);
  }

  protected setHeader(name: string, value: string): void {
    this.#response.setHeader(name, value);
  }

  protected cutOff(place: "before" | "inside"): void {
    if (place === "before") closeConnection(this.#response);
    else cutShort(this.#response);
  }

  protected beginWaiting(): void {
    this.#response.once("close", () => this.cancel());
  }

  #endStream(call: ServerCall, isOver: boolean): void {
    this.watched().delete(call);
    if (!isOver) call.cancel();
    call.finish();
  }
}
