// A streaming HTTP exchange: reads the answer on demand, and writes the request no faster than the server reads it.
import type { CallError } from "@roundtrip/contract";
import type { Dispatcher } from "undici";
import type { HttpResponse, HttpStream, HttpStreamRequest } from "@roundtrip/styles/http/client";
import { UndiciExchange } from "./undici-exchange.ts";

/** Bytes that may be buffered before TCP flow control stops the server. */
const waitingBytes = 64 * 1024;

export class UndiciStreamExchange extends UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: HttpStream) => void;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #paused: Dispatcher.DispatchController | undefined;
  #isComplete = false;
  #wake: (() => void) | undefined;

  constructor(
    origin: string,
    request: HttpStreamRequest,
    resolve: (response: HttpStream) => void,
    reject: (error: CallError) => void,
  ) {
    super(origin, request, reject);
    this.#resolve = resolve;
  }

  protected override over(): void {
    super.over();
    this.#wake?.();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    if (status >= 200) this.#resolve({ status, headers, body: this.responseBody(this.#read()) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > waitingBytes) {
      controller.pause();
      this.#paused = controller;
    }
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.over();
    // undici frees a connection one event loop turn later. A caller that streams again at once would open a new one, with small windows.
    setImmediate(setImmediate, () => {
      this.#isComplete = true;
      this.#wake?.();
    });
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const chunk = this.#waiting.shift();
      if (chunk !== undefined) {
        this.#waitingBytes -= chunk.length;
        if (this.#waitingBytes <= waitingBytes) this.#resume();
        yield chunk;
      } else if (this.#isComplete) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #resume(): void {
    this.#paused?.resume();
    this.#paused = undefined;
  }
}
