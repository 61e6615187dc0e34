// How a Connect client writes its calls.
import type { ClientHalfOptions } from "../../shared/http/http-transport.ts";
import type { Encoding } from "../wire-form.ts";

export interface ConnectClientOptions extends Pick<ClientHalfOptions, "maxMessageBytes"> {
  readonly encoding: Encoding;
  /** Sends calls without side effects as GET, which caches may answer. */
  readonly get: boolean;
}

/** What style parts that only write requests use: the defaults of the clients. */
export const connectClientDefaults = { encoding: "proto", get: false } as const;
