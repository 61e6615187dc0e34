// The gRPC client on node:http2.
import type { Operation } from "@roundtrip/contract";
import { unsupportedFeature } from "@roundtrip/styles/client";
import { limitations } from "@roundtrip/styles/grpc/client";
import type { Connect } from "../../../basics/stack.ts";
import { Http2Connections } from "../../../shared/http2/http2-connections.ts";
import { settingsWith } from "../../../shared/settings.ts";
import { clientSettings } from "../../client-settings.ts";
import { calledMethod, type CalledMethod } from "./outgoing-call.ts";
import { streamInvoke } from "./stream-invoke.ts";
import { unaryInvoke } from "./unary-invoke.ts";

// oxlint-disable-next-line require-await -- unusable settings reject
export const connect: Connect = async (contract, options) => {
  const set = settingsWith(clientSettings, options.settings);
  const connections = new Http2Connections(options, set);
  const over = { connections, compression: set.requestCompression };
  const methodOf = (operation: Operation): CalledMethod => calledMethod(operation, over, options.maxMessageBytes);
  return {
    contract,
    prepare: (operation) => unaryInvoke(methodOf(operation)),
    prepareStream: (operation) => streamInvoke(methodOf(operation)),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => connections.close(),
  };
};
