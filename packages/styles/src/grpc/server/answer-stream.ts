// Calls with a stream of answers, whether one request or a stream of them asks for it: the server's side.
import { toBinary, type Message } from "@bufbuild/protobuf";
import { ConnectionCut, only, requestFromBinary, type Operation } from "@roundtrip/contract";
import {
  failCall,
  sendOwnMetadata,
  type AnswerStream,
  type RequestStream,
  type ServedMethod,
} from "./answered-call.ts";
import { requestsOf } from "./requests-of.ts";

/** Writes answers as the caller reads them, then the status. */
async function answerAll(
  operation: Operation,
  call: AnswerStream,
  answersOf: () => AsyncIterable<Message>,
): Promise<void> {
  const { serverCall } = call;
  let isBegun = false;
  try {
    for await (const answer of answersOf()) {
      const bytes = toBinary(operation.output, answer);
      if (!isBegun) sendOwnMetadata(call);
      isBegun = true;
      const taken = call.write(bytes);
      if (taken !== undefined) await taken;
    }
    if (!isBegun) sendOwnMetadata(call);
    serverCall.finish();
    call.end();
  } catch (thrown) {
    // What was written before has left by then; a caller who goes meanwhile has ended the connection.
    if (thrown instanceof ConnectionCut) await call.whenOut().catch(() => {});
    serverCall.finish();
    // What has been sent before the first answer is not said again.
    if (isBegun) serverCall.answerMetadata.clear();
    failCall(operation, call, thrown);
  }
}

/** One request, a stream of responses. */
export function answerServerStream(
  { service, operation }: ServedMethod,
  request: Uint8Array,
  call: AnswerStream,
): void {
  call.watchCaller();
  void answerAll(operation, call, () =>
    service.stream(operation, only(requestFromBinary(operation, request)), call.serverCall),
  );
}

/** A stream of requests, and one of responses. */
export function answerBidiStream(
  { service, operation }: ServedMethod,
  stream: RequestStream,
  call: AnswerStream,
): void {
  call.watchCaller();
  void answerAll(operation, call, () => service.stream(operation, requestsOf(operation, stream), call.serverCall));
}
