// Calls a service over gRPC through the library's own client.
import { cannot } from "../refused.ts";
import type { Connect } from "../stack.ts";
import { Channels } from "./library/client/channels.ts";
import { stack } from "./index.ts";
import { streamInvoke } from "./library/client/stream-invoke.ts";
import { unaryInvoke } from "./library/client/unary-invoke.ts";

export const connect: Connect = (contract, options) => {
  const channels = new Channels(options);
  return Promise.resolve({
    contract,
    prepare: (operation) => unaryInvoke(operation, channels),
    prepareStream: (operation) => streamInvoke(operation, channels),
    prepareTogether: () => {
      throw cannot(stack.limitations, "together");
    },
    close: () => channels.close(),
  });
};
