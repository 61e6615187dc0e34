// Calls a service over gRPC through the library's own client.
import { cannot, noStreams, refusedStream } from "../refused.ts";
import type { Connect } from "../stack.ts";
import { Channels } from "./channels.ts";
import { stack } from "./index.ts";
import { unaryInvoke } from "./unary-invoke.ts";

export const connect: Connect = (_contract, options) => {
  const channels = new Channels(options);
  return Promise.resolve({
    prepare: (operation) => refusedStream(operation, stack.limitations) ?? unaryInvoke(operation, channels),
    prepareStream: (operation) => noStreams(operation, stack.limitations),
    prepareTogether: () => {
      throw cannot(stack.limitations, "together");
    },
    close: () => channels.close(),
  });
};
