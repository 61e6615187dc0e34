// The calls of one HTTP request: one, or those of a batch.
import { HeaderMap } from "../../shared/header-map.ts";
import type { AnswerHeaders } from "../../shared/http/http-answer.ts";
import { deadlineHeader } from "../../shared/http/http-deadline.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";
import { SharedCalls } from "../../shared/http/shared-calls.ts";

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

export class RpcCalls extends SharedCalls<ReceivedRequest> {
  protected isGone = false;
  #headers: Record<string, string> | undefined;
  #cut: "before" | "inside" | undefined;

  constructor(request: ReceivedRequest) {
    super(new HeaderMap(request, distinctHeaders, lacksHeader), request.headers[deadlineHeader]);
  }

  /** The answer metadata of the calls. Undefined without any. */
  get headers(): AnswerHeaders | undefined {
    return this.#headers;
  }

  /** How a handler has cut off the connection; undefined if none did. */
  get cut(): "before" | "inside" | undefined {
    return this.#cut;
  }

  /** An answer whose begin should be sent cannot be written: nothing is sent. */
  dropAnswer(): void {
    this.#cut = "before";
  }

  override cancel(): void {
    this.isGone = true;
    super.cancel();
  }

  protected headerOf(name: string): string | undefined {
    return this.#headers !== undefined && Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
  }

  protected setHeader(name: string, value: string): void {
    (this.#headers ??= {})[name] = value;
  }

  protected cutOff(place: "before" | "inside"): void {
    if (place === "before") this.#cut = place;
    else this.#cut ??= place;
  }

  // oxlint-disable-next-line class-methods-use-this -- whoever serves the request calls `cancel`
  protected beginWaiting(): void {}
}
