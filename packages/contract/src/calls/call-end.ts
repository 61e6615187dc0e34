// How calls end before their answer: the errors, in the same words on every style and at both ends, and streams that end in time and with their calls.
import { CallError } from "../basics/call-error.ts";
import type { Message } from "@bufbuild/protobuf";

/**
 * Thrown instead of an answer. The stack closes the call's connection. With `partOf`, it first sends headers and the first part of that
 * message; without it, nothing more is sent. Callers get UNAVAILABLE. Code that does not know connections treats it as that error.
 */
export class ConnectionCut extends CallError {
  readonly partOf: Message | undefined;

  constructor(partOf?: Message) {
    super("UNAVAILABLE", "the connection was cut");
    this.partOf = partOf;
  }
}

/** Enough for the middle of any answer, but small enough to be sent at once, even if the caller does not read. */
const mostBytes = 16 * 1024;

/** The first half of bytes, at most 16 KiB, and never all of them unless empty. */
export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), mostBytes));
}

/** The first half of what `write` returns; undefined if it throws, because an answer that is cut may be invalid. */
export function firstHalfOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return firstHalf(write());
  } catch {
    return undefined;
  }
}

/**
 * A deadline of this many milliseconds or more counts as no deadline: the maximum of a Node.js timer and of gRPC's servers is one
 * millisecond less.
 */
export const endlessMs = 2 ** 31;

export function deadlineExceeded(): CallError {
  return new CallError("DEADLINE_EXCEEDED", "deadline exceeded");
}

export function callerCancelled(): CallError {
  return new CallError("CANCELLED", "the caller cancelled the call");
}

export function serverStopping(): CallError {
  return new CallError("UNAVAILABLE", "the server is stopping");
}

export function clientClosed(options?: ErrorOptions): CallError {
  return new CallError("CANCELLED", "the client is closed", {}, options);
}

/** A request that did not arrive completely in time: DEADLINE_EXCEEDED, or the more precise 408 in HTTP. */
export class TooSlow extends CallError {
  constructor() {
    super("DEADLINE_EXCEEDED", "the request took too long to arrive");
  }
}

/**
 * The same stream, which fails with {@link TooSlow} if a reader waits longer than `maxMs` for the next item. The time between reads does
 * not count. There is a timer only while a reader waits: most streams that are refused are never read, and nobody ends them.
 */
export async function* inTime<T>(source: AsyncGenerator<T>, maxMs: number): AsyncGenerator<T> {
  let timer: NodeJS.Timeout | undefined;
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new TooSlow()), maxMs).unref();
      source.next().then(resolve, reject);
    });
  try {
    for (;;) {
      const result = await next();
      clearTimeout(timer);
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    clearTimeout(timer);
    // If the source still waits for an item, it ends when its own source ends.
    source.return(undefined).catch(() => {});
  }
}

/**
 * The values of `source` until it ends. If the signal aborts first, reading rejects with the signal's reason at once and calls the source's
 * `return` without waiting for it. A reader that stops early also stops the source.
 */
export async function* untilEnded<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  // One listener for all values: racing each value against one promise would keep memory for every value until the end.
  let end: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => end?.(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const next = (): Promise<IteratorResult<T, unknown>> =>
    new Promise((resolve, reject) => {
      end = reject;
      if (signal.aborted) onAbort();
      else iterator.next().then(resolve, reject);
    });
  let isOver = false;
  try {
    for (let result = await next(); result.done !== true; result = await next()) yield result.value;
    isOver = true;
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!isOver) iterator.return?.().catch(() => undefined);
  }
}
