// The server side of calls with a response stream, for one request or a request stream.
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
    // Earlier messages are sent first; if the caller disconnects meanwhile, the connection is closed anyway.
    if (thrown instanceof ConnectionCut) await call.whenOut().catch(() => {});
    serverCall.finish();
    // Metadata sent with the first answer is not repeated.
    if (isBegun) serverCall.answerMetadata.clear();
    failCall(operation, call, thrown);
  }
}

/** Returns at once; answers follow as the caller reads. A failure becomes the call's status. */
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

/** As {@link answerServerStream}, with requests that the service reads on demand. */
export function answerBidiStream(
  { service, operation }: ServedMethod,
  stream: RequestStream,
  call: AnswerStream,
): void {
  call.watchCaller();
  void answerAll(operation, call, () => service.stream(operation, requestsOf(operation, stream), call.serverCall));
}
