// Streams without a socket: requests are sent when the service reads them, responses when the caller does.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, onlyAnswer, onlyRequest, untilEnded } from "@roundtrip/contract";
import type { InvokeStream, Operation, Service } from "@roundtrip/contract";
import type { MemoryCall } from "./memory-call.ts";

type Requests = Parameters<InvokeStream>[0];

/** As many requests as the operation takes. */
async function* requestsFor({ kind }: Operation, requests: Requests): AsyncGenerator<Message> {
  if (kind === "server_streaming") yield await onlyRequest(requests);
  else yield* requests;
}

/** The answers of a call. Ends the call with the stream, and cancels it if the reader stops. */
export async function* answersOf(
  service: Service,
  operation: Operation,
  call: MemoryCall,
  requests: Requests,
): AsyncGenerator<Message, void, undefined> {
  const { server } = call;
  /** Errors in the caller's own requests: the service sees a cancelled call, the caller sees the error. */
  let fault: CallError | undefined;
  async function* sent(): AsyncGenerator<Message> {
    try {
      for await (const request of untilEnded(requestsFor(operation, requests), server.signal)) yield call.sent(request);
    } catch (thrown) {
      server.throwIfEnded();
      fault = CallError.from(thrown);
      server.cancel();
      throw callerCancelled();
    }
  }
  let isOver = false;
  try {
    const answers = untilEnded(service.stream(operation, sent(), server), server.signal);
    if (operation.kind === "client_streaming") yield call.received(await onlyAnswer(operation, answers));
    else for await (const answer of answers) yield call.received(answer);
    call.sendMetadata();
    isOver = true;
  } catch (thrown) {
    const failure = call.failure(thrown);
    throw fault ?? failure;
  } finally {
    if (!isOver) server.cancel();
    call.end();
  }
}
