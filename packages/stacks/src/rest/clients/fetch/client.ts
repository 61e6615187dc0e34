// REST called by the fetch of Node.js.
import type { Connect } from "../../../basics/stack.ts";
import { restClient } from "@roundtrip/styles/rest/client";
import { fetchTransport } from "./fetch-transport.ts";

/** Connects with the first call. */
export const connect: Connect = (contract, options) =>
  Promise.resolve(restClient(fetchTransport(options), contract, options));
