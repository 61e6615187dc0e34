// The Connect client on the fetch of Node.js.
import { connectClient, type Encoding } from "@roundtrip/styles/connect/client";
import type { Connect } from "../../basics/stack.ts";
import { fetchTransport } from "../../shared/fetch-transport.ts";
import { settingsWith } from "../../shared/settings.ts";
import { fetchSettings } from "../libraries.ts";

// oxlint-disable-next-line require-await -- unusable settings reject
export const connect: Connect = async (contract, options) => {
  const { encoding, get, ...set } = settingsWith(fetchSettings, options.settings);
  const { http: _http, responseCompression: _compression, ...settings } = set;
  return connectClient(fetchTransport({ ...options, settings }), contract, {
    maxMessageBytes: options.maxMessageBytes,
    encoding: encoding as Encoding,
    get,
  });
};
