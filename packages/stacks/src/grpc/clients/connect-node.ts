// The gRPC client on Connect's library for Node.js.
import { createGrpcTransport } from "@connectrpc/connect-node";
import { noTogether } from "@roundtrip/styles/client";
import { limitations } from "@roundtrip/styles/grpc/client";
import type { Connect } from "../../basics/stack.ts";
import { readCompressions, sendCompression } from "../../shared/connect-node/compressions.ts";
import { http2Slots } from "../../shared/connect-node/http2-slots.ts";
import { streamInvoke, unaryInvoke } from "../../shared/connect-node/client-call.ts";
import { Http2Connections } from "../../shared/http2/http2-connections.ts";
import { settingsWith } from "../../shared/settings.ts";
import { clientSettings } from "../libraries.ts";

// oxlint-disable-next-line require-await -- unusable settings reject
export const connect: Connect = async (contract, options) => {
  const set = settingsWith(clientSettings, options.settings);
  const connections = new Http2Connections(options, set);
  const slots = http2Slots(connections, (slot) =>
    createGrpcTransport({
      baseUrl: options.url,
      sessionManager: slot,
      acceptCompression: [...readCompressions],
      ...sendCompression(set.requestCompression),
      // Small messages are compressed too, as by the other clients.
      compressMinBytes: 0,
      readMaxBytes: options.maxMessageBytes,
    }),
  );
  return {
    contract,
    prepare: (operation) => unaryInvoke(operation, slots),
    prepareStream: (operation) => streamInvoke(operation, slots),
    prepareTogether: noTogether(limitations),
    close: () => connections.close(),
  };
};
