// Calls with streams of requests, answers or both.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  countedAnswers,
  mapped,
  responseFromBinary,
  stoppable,
  type CallOptions,
  type InvokeStream,
  type Requests,
} from "@roundtrip/contract";
import { packed } from "@roundtrip/styles/grpc/client";
import type { ClientHttp2Stream } from "node:http2";
import { requestBytes, sendAll } from "../../client-streams.ts";
import { PulledMessages } from "../../node-http2/pulled-messages.ts";
import { OutgoingCall, type CalledMethod } from "./outgoing-call.ts";

class StreamCall extends OutgoingCall {
  // Requests that were taken from the caller cannot be taken again.
  protected readonly isRepeatable = false;
  readonly #requests: Requests;
  readonly #answers: PulledMessages;
  readonly #ended = new AbortController();

  constructor(method: CalledMethod, requests: Requests, options: CallOptions) {
    super(method, options);
    this.#requests = requests;
    this.#answers = new PulledMessages(this.reader);
  }

  /** Throws the error that ends the call. */
  async *answers(): AsyncGenerator<Message, void, undefined> {
    const { operation } = this.method;
    for await (const bytes of this.#answers.read()) yield responseFromBinary(operation, bytes);
    if (this.reader.isCutShort) throw new CallError("INTERNAL", "the last answer is cut short");
  }

  protected send(stream: ClientHttp2Stream): void {
    const { operation, compression } = this.method;
    const { signal } = this.#ended;
    const messages = mapped(requestBytes(operation, this.#requests), (bytes) => packed(bytes, compression));
    this.#answers.readFrom(stream);
    sendAll(stream, messages, signal).catch((thrown: unknown) => {
      if (!signal.aborted) this.stop(CallError.from(thrown));
    });
  }

  protected receive(chunk: Buffer): void {
    this.#answers.add(chunk);
  }

  protected finish(error: CallError | undefined): void {
    this.#ended.abort();
    this.#answers.end(error);
  }
}

async function* answersOf(
  method: CalledMethod,
  requests: Requests,
  options: CallOptions,
): AsyncGenerator<Message, void, undefined> {
  if (options.signal?.aborted === true) throw callerCancelled();
  const call = new StreamCall(method, requests, options);
  call.start();
  try {
    yield* call.answers();
  } finally {
    // Of a reader that stops early, or of an answer that cannot be read.
    call.stop(callerCancelled());
  }
}

export function streamInvoke(method: CalledMethod): InvokeStream {
  return stoppable((requests, options) => countedAnswers(method.operation, answersOf(method, requests, options)));
}
