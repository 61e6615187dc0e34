// Clients over HTTP/1.1: a style's client half on a library's transport.
import type { Client, Contract } from "@roundtrip/contract";
import type { Connect, ConnectOptions } from "../basics/stack.ts";

/** Connects with the first call. Rejects for a contract that cannot be called. */
export function connectOver<Transport>(
  clientOver: (transport: Transport, contract: Contract, options: ConnectOptions) => Client,
  transport: (options: ConnectOptions) => Transport,
): Connect {
  // oxlint-disable-next-line require-await -- what cannot be called rejects
  return async (contract, options) => clientOver(transport(options), contract, options);
}
