// REST called by undici.
import { undiciTransport } from "../../../shared/undici/undici-transport.ts";
import type { Connect } from "../../../basics/stack.ts";
import { restClient } from "@roundtrip/styles/rest/client";

/** Connects with the first call. */
export const connect: Connect = (contract, options) =>
  Promise.resolve(restClient(undiciTransport(options), contract, options));
