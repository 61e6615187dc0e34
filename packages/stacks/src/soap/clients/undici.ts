// The SOAP undiciClient on undici, with envelopes of its own.
import { soapClientOf } from "@roundtrip/styles/soap/client";
import type { Connect } from "../../basics/stack.ts";
import { settingsWith } from "../../shared/settings.ts";
import { undiciTransport } from "../../shared/undici/undici-transport.ts";
import { undiciClient } from "../libraries.ts";

/** Connects with the first call. */
// oxlint-disable-next-line require-await -- what cannot be called rejects
export const connect: Connect = async (contract, options) => {
  const { soapVersion, ...settings } = settingsWith(undiciClient.settings, options.settings);
  const transport = undiciTransport({ ...options, settings });
  return soapClientOf(transport, contract, { url: options.url, version: soapVersion === "1.2" ? "1.2" : "1.1" });
};
