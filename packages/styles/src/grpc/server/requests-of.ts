// The requests of a call that streams them, as messages of the contract.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, deadlineExceeded, requestFromBinary, type Operation } from "@roundtrip/contract";
import type { RequestStream } from "./answered-call.ts";

/**
 * Each request is read when it is asked for. Throws a CallError: INVALID_ARGUMENT for what is no request, CANCELLED or DEADLINE_EXCEEDED
 * when the call ends before its stream.
 */
export async function* requestsOf(
  operation: Operation,
  stream: RequestStream,
): AsyncGenerator<Message, void, undefined> {
  try {
    for await (const bytes of stream.read()) yield requestFromBinary(operation, bytes);
    if (stream.isCutShort()) throw new CallError("INVALID_ARGUMENT", "the last request is cut short");
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown;
    // The stream broke off, because the call is over.
    throw stream.isExpired() ? deadlineExceeded() : callerCancelled();
  }
}
