// The gRPC client on grpc-js.
import { unsupportedFeature } from "@roundtrip/styles/client";
import type { Connect } from "../../../basics/stack.ts";
import { Channels } from "./channels.ts";
import { limitations } from "@roundtrip/styles/grpc/client";
import { streamInvoke } from "./stream-invoke.ts";
import { unaryInvoke } from "./unary-invoke.ts";

export const connect: Connect = (contract, options) => {
  const channels = new Channels(options);
  return Promise.resolve({
    contract,
    prepare: (operation) => unaryInvoke(operation, channels),
    prepareStream: (operation) => streamInvoke(operation, channels),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => channels.close(),
  });
};
