// A handler that never answers by itself and reports how its signal was aborted.
import type { CallContext, CallError, Service } from "@roundtrip/contract";
import { helloService } from "./hello.ts";

export interface AbortedHandler {
  /** What the handler does: waits until its signal is aborted and fails with the reason. */
  readonly answer: (request: unknown, context: CallContext) => Promise<string>;
  /** A service whose calls all go to this handler. */
  readonly service: Service;
  /** Resolves when the handler has been called. */
  readonly begun: Promise<void>;
  /** Resolves to the reason with which the handler's signal was aborted. */
  readonly reason: Promise<CallError>;
}

export function abortedHandler(): AbortedHandler {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const answer = (_request: unknown, { signal }: CallContext): Promise<string> => {
    begin();
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        resolve(signal.reason as CallError);
        reject(signal.reason as CallError);
      });
    });
  };
  const service = helloService(answer);
  return { answer, service, begun, reason };
}
