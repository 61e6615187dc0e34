// Unary calls on Connect's library.
import { checkWholeRequest, type CallOptions, type Invoke, type Operation } from "@roundtrip/contract";
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { LibraryCall, type CallLanes } from "./library-call.ts";

/** Attempts of a call whose stream was refused: the server has not begun with it. */
const mostAttempts = 4;

const noCallOptions: CallOptions = {};

/** The options of another attempt: less time is left. */
function rest(options: CallOptions, startedAtMs: number): CallOptions {
  const { timeoutMs } = options;
  return timeoutMs === undefined
    ? options
    : { ...options, timeoutMs: Math.max(0, timeoutMs - (performance.now() - startedAtMs)) };
}

export function unaryInvoke(operation: Operation, lanes: CallLanes): Invoke {
  const method = operation.method as DescMethodUnary;
  const attempt = async (request: Message, options: CallOptions, attemptsLeft: number): Promise<Message> => {
    const startedAtMs = performance.now();
    const call = new LibraryCall(operation, lanes, options);
    const { signal, timeoutMs, header } = call.options;
    try {
      const answer = await call.transport.unary(method, signal, timeoutMs, header, request);
      if (options.onMetadata !== undefined) call.takeMetadata(answer.header, answer.trailer);
      return answer.message;
    } catch (thrown) {
      if (!call.isRefused || attemptsLeft === 1) throw call.errorOf(thrown, request);
    } finally {
      call.end();
    }
    return attempt(request, rest(options, startedAtMs), attemptsLeft - 1);
  };
  return async (request, options = noCallOptions) => {
    checkWholeRequest(operation, request);
    return attempt(request, options, mostAttempts);
  };
}
