// A call that has been sent and waits for its answer.
import { callerCancelled, deadlineExceeded, endlessMs, type CallError, type CallOptions } from "@roundtrip/contract";

export interface PendingCall {
  /** The length of the answer when it is an echo; undefined for a learn request, whose answer's body is wanted. */
  readonly echoBytes: number | undefined;
  succeed(body: Buffer | undefined): void;
  fail(error: CallError): void;
}

/**
 * The same call, failing earlier when its time is up or its caller aborts it. Its answer still takes its turn, unheard.
 * @param giveUp called when the caller aborts it.
 */
export function endingEarly(call: PendingCall, { timeoutMs, signal }: CallOptions, giveUp: () => void): PendingCall {
  if (timeoutMs === undefined && signal === undefined) return call;
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;
  const settle = (): boolean => {
    if (isSettled) return false;
    isSettled = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    return true;
  };
  const fail = (error: CallError): void => {
    if (settle()) call.fail(error);
  };
  const onAbort = (): void => {
    fail(callerCancelled());
    giveUp();
  };
  signal?.addEventListener("abort", onAbort);
  if (timeoutMs !== undefined && timeoutMs < endlessMs) {
    // A timer warns of times that have passed already.
    const delayMs = Math.max(timeoutMs, 0);
    timer = setTimeout(() => fail(deadlineExceeded()), delayMs);
  }
  return {
    echoBytes: call.echoBytes,
    succeed(body) {
      if (settle()) call.succeed(body);
    },
    fail,
  };
}
