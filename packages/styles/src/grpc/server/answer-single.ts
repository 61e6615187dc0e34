// The server side of calls with one answer, for one request or a request stream.
import { toBinary, type Message } from "@bufbuild/protobuf";
import { inTime, onlyAnswer, requestFromBinary, type Operation } from "@roundtrip/contract";
import {
  failCall,
  sendOwnMetadata,
  type RequestStream,
  type ServedMethod,
  type SingleAnswer,
} from "./answered-call.ts";
import { requestsOf } from "./requests-of.ts";

function succeed({ output }: Operation, call: SingleAnswer, response: Message): void {
  const metadata = call.serverCall.metadataToSend();
  call.serverCall.finish();
  if (metadata !== undefined) call.sendMetadata(metadata);
  call.answer(toBinary(output, response));
}

function fail(operation: Operation, call: SingleAnswer, thrown: unknown): void {
  call.serverCall.finish();
  failCall(operation, call, thrown);
}

export function answerUnary({ service, operation }: ServedMethod, request: Uint8Array, call: SingleAnswer): void {
  try {
    const answer = service.call(operation, requestFromBinary(operation, request), call.serverCall);
    // A synchronous answer costs no event loop turn.
    if (!(answer instanceof Promise)) {
      succeed(operation, call, answer);
      return;
    }
    call.watchCaller();
    answer
      .then((response) => succeed(operation, call, response))
      .catch((thrown: unknown) => fail(operation, call, thrown));
  } catch (thrown) {
    fail(operation, call, thrown);
  }
}

export function answerClientStream(
  { service, operation, maxRequestMs }: ServedMethod,
  stream: RequestStream,
  call: SingleAnswer,
): void {
  const { serverCall } = call;
  call.watchCaller();
  const requests = inTime(requestsOf(operation, stream), maxRequestMs);
  const answerOnce = (response: Message): void => {
    const bytes = toBinary(operation.output, response);
    sendOwnMetadata(call);
    serverCall.finish();
    call.answer(bytes);
  };
  onlyAnswer(operation, service.stream(operation, requests, serverCall))
    .then(answerOnce)
    .catch((thrown: unknown) => fail(operation, call, thrown));
}
