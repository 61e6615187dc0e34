// A call that waits for its answer.
import { callerCancelled, deadlineExceeded, endlessMs, type CallError, type CallOptions } from "@roundtrip/contract";

export interface PendingCall {
  /** The length of an echo; undefined for a learn request, whose answer needs its body. */
  readonly echoBytes: number | undefined;
  succeed(body: Buffer | undefined): void;
  fail(error: CallError): void;
}

/** The same call with deadline and abort signal. After an early failure, its answer is dropped. @param giveUp called when the caller aborts. */
export function withDeadlineAndAbort(
  call: PendingCall,
  { timeoutMs, signal }: CallOptions,
  giveUp: () => void,
): PendingCall {
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
    // Node.js warns about timers with a negative delay.
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
