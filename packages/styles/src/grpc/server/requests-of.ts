// Reads the request stream of a call as messages.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, deadlineExceeded, requestFromBinary, type Operation } from "@roundtrip/contract";
import type { RequestStream } from "./answered-call.ts";

/** Reads requests on demand. Throws a CallError: INVALID_ARGUMENT for a malformed one, CANCELLED or DEADLINE_EXCEEDED if the call ends early. */
export async function* requestsOf(
  operation: Operation,
  stream: RequestStream,
): AsyncGenerator<Message, void, undefined> {
  try {
    for await (const bytes of stream.read()) yield requestFromBinary(operation, bytes);
    if (stream.isCutShort()) throw new CallError("INVALID_ARGUMENT", "the last request is cut short");
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown;
    // The stream broke off because the call has ended.
    throw stream.isExpired() ? deadlineExceeded() : callerCancelled();
  }
}
