// Unary calls.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  noAnswer,
  requestToBinary,
  responseFromBinary,
  severalAnswers,
  type CallOptions,
  type Invoke,
} from "@roundtrip/contract";
import { packed } from "@roundtrip/styles/grpc/client";
import type { ClientHttp2Stream } from "node:http2";
import { OutgoingCall, type CalledMethod } from "./outgoing-call.ts";

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

export function unaryInvoke(method: CalledMethod): Invoke {
  return (request, options = noCallOptions) =>
    new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) throw callerCancelled();
      const bytes = packed(requestToBinary(method.operation, request), method.compression);
      new UnaryCall(method, bytes, options, { resolve, reject }).start();
    });
}
