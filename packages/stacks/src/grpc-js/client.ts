// Calls a service over gRPC through the library's own client.
import { CallError, type Invoke, type Operation } from "@roundtrip/contract";
import type { Connect, Limitation } from "../stack.ts";
import { Channels } from "./channels.ts";
import { stack } from "./index.ts";
import { unaryInvoke } from "./unary-invoke.ts";

function cannot(feature: Limitation["feature"]): CallError {
  const reason = stack.limitations.find((limitation) => limitation.feature === feature)?.reason;
  return new CallError("UNIMPLEMENTED", reason ?? `gRPC here has no ${feature}`);
}

function invokeOf(operation: Operation, channels: Channels): Invoke {
  switch (operation.kind) {
    case "unary":
      return unaryInvoke(operation, channels);
    case "server_streaming":
      return () => Promise.reject(cannot("serverStream"));
    case "client_streaming":
      return () => Promise.reject(cannot("clientStream"));
    case "bidi_streaming":
      return () => Promise.reject(cannot("bidiStream"));
  }
}

export const connect: Connect = (_contract, options) => {
  const channels = new Channels(options);
  return Promise.resolve({
    prepare: (operation) => invokeOf(operation, channels),
    prepareTogether: () => {
      throw cannot("together");
    },
    close: () => channels.close(),
  });
};
