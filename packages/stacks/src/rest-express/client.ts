// REST called by undici.
import { undiciTransport } from "../http/undici/undici-transport.ts";
import type { Connect } from "../stack.ts";
import { restClient } from "./calling/rest-client.ts";

/** Connects with the first call. */
export const connect: Connect = (contract, options) =>
  Promise.resolve(restClient(undiciTransport(options), contract, options));
