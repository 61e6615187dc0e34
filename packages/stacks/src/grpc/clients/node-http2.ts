// The gRPC client on node:http2.
import {
  callerCancelled,
  CallError,
  type CallOptions,
  countedAnswers,
  type Invoke,
  type InvokeStream,
  mapped,
  noAnswer,
  type Operation,
  type Requests,
  requestToBinary,
  responseFromBinary,
  severalAnswers,
  stoppable,
} from "@roundtrip/contract";
import { noTogether } from "@roundtrip/styles/client";
import { limitations, packed } from "@roundtrip/styles/grpc/client";
import type { Message } from "@bufbuild/protobuf";
import type { ClientHttp2Stream } from "node:http2";
import type { Connect } from "../../basics/stack.ts";
import { Http2Connections } from "../../shared/http2/http2-connections.ts";
import { settingsWith } from "../../shared/settings.ts";
import { clientSettings } from "../libraries.ts";
import { calledMethod, type CalledMethod, OutgoingCall } from "../node-http2/outgoing-call.ts";
import { requestBytes, sendAll } from "../streams.ts";
import { PulledMessages } from "../node-http2/pulled-messages.ts";

// Calls with streams of requests, answers or both.

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

function streamInvoke(method: CalledMethod): InvokeStream {
  return stoppable((requests, options) => countedAnswers(method.operation, answersOf(method, requests, options)));
}

const noCallOptions: CallOptions = {};

interface Settling {
  readonly resolve: (response: Message) => void;
  readonly reject: (error: CallError) => void;
}

class UnaryCall extends OutgoingCall {
  protected readonly isRepeatable = true;
  readonly #request: Buffer;
  readonly #settling: Settling;
  #response: Uint8Array | undefined;

  constructor(method: CalledMethod, request: Buffer, options: CallOptions, settling: Settling) {
    super(method, options);
    this.#request = request;
    this.#settling = settling;
  }

  protected send(stream: ClientHttp2Stream): void {
    stream.end(this.#request);
  }

  protected receive(chunk: Buffer): void {
    this.reader.add(chunk);
    this.#response ??= this.reader.next();
    if (this.#response !== undefined && this.reader.isCutShort) {
      throw severalAnswers(this.method.operation);
    }
  }

  protected finish(error: CallError | undefined): void {
    try {
      const { operation } = this.method;
      if (error !== undefined) throw error;
      if (this.reader.isCutShort) throw new CallError("INTERNAL", "the answer is cut short");
      if (this.#response === undefined) throw noAnswer(operation);
      this.#settling.resolve(responseFromBinary(operation, this.#response));
    } catch (thrown) {
      this.#settling.reject(CallError.from(thrown));
    }
  }
}

function unaryInvoke(method: CalledMethod): Invoke {
  return (request, options = noCallOptions) =>
    new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) throw callerCancelled();
      const bytes = packed(requestToBinary(method.operation, request), method.compression);
      new UnaryCall(method, bytes, options, { resolve, reject }).start();
    });
}

// oxlint-disable-next-line require-await -- unusable settings reject
export const connect: Connect = async (contract, options) => {
  const set = settingsWith(clientSettings, options.settings);
  const connections = new Http2Connections(options, set);
  const over = { connections, compression: set.requestCompression };
  const methodOf = (operation: Operation): CalledMethod => calledMethod(operation, over, options.maxMessageBytes);
  return {
    contract,
    prepare: (operation) => unaryInvoke(methodOf(operation)),
    prepareStream: (operation) => streamInvoke(methodOf(operation)),
    prepareTogether: noTogether(limitations),
    close: () => connections.close(),
  };
};
