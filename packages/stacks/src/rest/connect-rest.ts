// The common part of REST clients.
import { eventsType, linesType, restClient } from "@roundtrip/styles/rest/client";
import type { HttpTransport } from "@roundtrip/styles/http/client";
import type { Connect, ConnectOptions } from "../basics/stack.ts";
import { compressing } from "../shared/compressing-client.ts";
import { compressingBinding, splitSettings } from "../shared/settings.ts";
import { streamForm } from "./libraries.ts";

/** Connects with the first call. Rejects for a contract that cannot be called, and for unknown settings. */
export function restOver(transport: (options: ConnectOptions) => HttpTransport): Connect {
  // oxlint-disable-next-line require-await -- what cannot be called rejects
  return async (contract, options) => {
    const { own, others } = splitSettings([streamForm], compressingBinding.settings, options.settings);
    const streamType = own.streamForm === "events" ? eventsType : linesType;
    const http = compressing(transport)({ ...options, settings: others });
    return restClient(http, contract, { maxMessageBytes: options.maxMessageBytes, streamType });
  };
}
