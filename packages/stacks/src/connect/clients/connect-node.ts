// The Connect client on Connect's library for Node.js.
import type { Transport } from "@connectrpc/connect";
import {
  type ConnectTransportOptions,
  createConnectTransport,
  createGrpcWebTransport,
  type GrpcWebTransportOptions,
} from "@connectrpc/connect-node";
import type { Operation } from "@roundtrip/contract";
import { noStreams, noTogether } from "@roundtrip/styles/client";
import type { Message } from "@bufbuild/protobuf";
import { limitations, withFloats } from "@roundtrip/styles/connect/client";
import type { Connect, ConnectOptions } from "../../basics/stack.ts";
import { readCompressions, sendCompression } from "../../shared/connect-node/compressions.ts";
import { http1Slots, type Http1Slots } from "../../shared/connect-node/http1-slots.ts";
import { http2Slots } from "../../shared/connect-node/http2-slots.ts";
import { streamInvoke, unaryInvoke } from "../../shared/connect-node/client-call.ts";
import { Http2Connections } from "../../shared/http2/http2-connections.ts";
import { type SettingsOf, settingsWith } from "../../shared/settings.ts";
import { connectNodeSettings } from "../libraries.ts";

/** The same limit as the servers': an answer may have as many headers as a request. */
const maxHeaderSize = 64 * 1024;

type ClientSettings = SettingsOf<typeof connectNodeSettings>;
type OverHttp = Pick<ConnectTransportOptions & GrpcWebTransportOptions, "httpVersion"> & object;

function slotsOf(options: ConnectOptions, set: ClientSettings): Http1Slots {
  const { protocol, encoding, get } = set;
  const transportOver = (overHttp: OverHttp): Transport => {
    const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
    return create({
      ...overHttp,
      baseUrl: options.url,
      useBinaryFormat: encoding === "proto",
      ...(protocol === "connect" ? { useHttpGet: get } : {}),
      acceptCompression: [...readCompressions],
      ...sendCompression(set.requestCompression),
      // Small messages are compressed too, as by the other clients.
      compressMinBytes: 0,
      readMaxBytes: options.maxMessageBytes,
    });
  };
  if (set.http === "1.1") {
    const { ca, connections } = options;
    return http1Slots(new URL(options.url), { ...set, ca, connections }, (agent) =>
      transportOver({ httpVersion: "1.1", nodeOptions: { agent, maxHeaderSize } } as OverHttp),
    );
  }
  const connections = new Http2Connections(options, set);
  const slots = http2Slots(connections, (slot) =>
    transportOver({ httpVersion: "2", sessionManager: slot } as OverHttp),
  );
  return { ...slots, close: () => connections.close() };
}

// oxlint-disable-next-line require-await -- unusable settings reject
export const connect: Connect = async (contract, options) => {
  const set = settingsWith(connectNodeSettings, options.settings);
  const slots = slotsOf(options, set);
  const takeOf = ({ output }: Operation) =>
    set.encoding === "json" ? (answer: Message) => withFloats(output, answer) : undefined;
  return {
    contract,
    prepare: (operation) => unaryInvoke(operation, slots, takeOf(operation)),
    prepareStream: (operation) =>
      operation.kind === "bidi_streaming" && set.http === "1.1"
        ? noStreams(operation, limitations)
        : streamInvoke(operation, slots, takeOf(operation)),
    prepareTogether: noTogether(limitations),
    close: () => slots.close(),
  };
};
