// The calls of a client: those in flight until it closes, and invoke functions over a transport.
import { type CallError, type Client, clientClosed, type Contract } from "@roundtrip/contract";
import { type ExchangeLimits, type HttpTransport, overBefore } from "@roundtrip/styles/http/client";
import type { Connect, ConnectOptions } from "../basics/stack.ts";

export class CallsInFlight {
  #count = 0;
  #closing: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  /** Throws CANCELLED once the client is closed. Call {@link end} afterwards. */
  begin(): void {
    if (this.#closing !== undefined) throw clientClosed();
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenIdle?.();
  }

  /** Refuses new calls, waits for those in flight, then closes the connections. May be called twice. */
  close(closeConnections: () => void): Promise<void> {
    return (this.#closing ??= this.#closeWhenIdle(closeConnections));
  }

  async #closeWhenIdle(closeConnections: () => void): Promise<void> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    closeConnections();
  }
}

// One HTTP/1.1 client on two sets of connections: a limited number for calls, and one for each stream.

/** Like an {@link HttpTransport}, for calls of any kind. */
export interface CallTransport<Call extends ExchangeLimits, Answer> extends Pick<HttpTransport, "stream" | "close"> {
  send(call: Call): Promise<Answer>;
}

/** @param open opens at most so many connections; null for no limit. Its `close` waits for what is under way. */
export function callsAndStreams<Call extends ExchangeLimits, Answer>(
  connections: number,
  open: (most: number | null) => CallTransport<Call, Answer>,
): CallTransport<Call, Answer> {
  const calls = open(connections);
  let streams: CallTransport<Call, Answer> | undefined;
  let closed: Promise<unknown> | undefined;
  const refusalOf = (limits: ExchangeLimits): CallError | undefined =>
    closed === undefined ? overBefore(limits) : clientClosed();
  return {
    send(request) {
      const refusal = refusalOf(request);
      return refusal === undefined ? calls.send(request) : Promise.reject(refusal);
    },
    stream(request) {
      const refusal = refusalOf(request);
      return refusal === undefined ? (streams ??= open(null)).stream(request) : Promise.reject(refusal);
    },
    close: async () => {
      await (closed ??= Promise.all([calls.close(), streams?.close()]));
    },
  };
}

// Clients over HTTP/1.1: a style's client half on a library's transport.

/** Connects with the first call. Rejects for a contract that cannot be called. */
export function connectOver<Transport>(
  clientOver: (transport: Transport, contract: Contract, options: ConnectOptions) => Client,
  transport: (options: ConnectOptions) => Transport,
): Connect {
  // oxlint-disable-next-line require-await -- what cannot be called rejects
  return async (contract, options) => clientOver(transport(options), contract, options);
}
