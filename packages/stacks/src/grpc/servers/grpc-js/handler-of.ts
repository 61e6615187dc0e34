// The grpc-js handler of a method, by its kind.
import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import {
  answerBidiStream,
  answerClientStream,
  answerServerStream,
  answerUnary,
  type ServedMethod,
} from "@roundtrip/styles/grpc/server";
import { AnswerStreamCall, IncomingRequests, SingleAnswerCall } from "./grpc-js-calls.ts";

type Bytes = Uint8Array;

/** A method of a server, and what answers it. */
export interface AnsweredMethod extends Pick<ServedMethod["operation"], "kind"> {
  readonly path: string;
  readonly handler: UntypedHandleCall;
}

export function handlerOf(method: ServedMethod): UntypedHandleCall {
  switch (method.operation.kind) {
    case "unary":
      return (call: ServerUnaryCall<Bytes, Bytes>, callback: sendUnaryData<Bytes>) =>
        answerUnary(method, call.request, new SingleAnswerCall(call, callback));
    case "client_streaming":
      return (call: ServerReadableStream<Bytes, Bytes>, callback: sendUnaryData<Bytes>) =>
        answerClientStream(method, new IncomingRequests(call), new SingleAnswerCall(call, callback));
    case "server_streaming":
      return (call: ServerWritableStream<Bytes, Bytes>) =>
        answerServerStream(method, call.request, new AnswerStreamCall(call));
    case "bidi_streaming":
      return (call: ServerDuplexStream<Bytes, Bytes>) =>
        answerBidiStream(method, new IncomingRequests(call), new AnswerStreamCall(call));
  }
}
