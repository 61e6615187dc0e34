// A handler that never answers by itself and tells how its signal was aborted.
import type { CallError, Service } from "@roundtrip/contract";
import { helloService } from "./hello.ts";

export interface AbortedHandler {
  readonly service: Service;
  /** Resolves when the handler has been called. */
  readonly begun: Promise<void>;
  /** Resolves to the reason with which the handler's signal was aborted. */
  readonly reason: Promise<CallError>;
}

export function abortedHandler(): AbortedHandler {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const service = helloService((_request, { signal }) => {
    begin();
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        resolve(signal.reason as CallError);
        reject(signal.reason as CallError);
      });
    });
  });
  return { service, begun, reason };
}
