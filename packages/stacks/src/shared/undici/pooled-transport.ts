// HTTP/1.1 on undici connections, for each of its request interfaces.
import { clientClosed, type CallError } from "@roundtrip/contract";
import { errors } from "undici";
import type { ConnectOptions } from "../../basics/stack.ts";
import { callsAndStreams, type CallTransport } from "../calls-and-streams.ts";
import { serverUnavailable } from "@roundtrip/styles/client";
import type { ExchangeLimits } from "@roundtrip/styles/http/client";
import type { HttpPool } from "./idle-limited-pool.ts";
import { openPool } from "./open-pool.ts";
import { undiciSettingsWith } from "./undici-settings.ts";

export interface Lane {
  readonly origin: string;
  readonly pool: HttpPool;
  /** Makes undici ask the server to close the connection after the answer. */
  readonly reset: boolean;
  readonly maxMessageBytes: number;
}

/** The error of a request that undici could not complete. */
export function lostRequest(origin: string, error: Error): CallError {
  const isClosed = error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
  return isClosed ? clientClosed({ cause: error }) : serverUnavailable(origin, error);
}

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. @param senderOn sends requests on a lane. */
export function pooledTransport<Call extends ExchangeLimits, Answer>(
  { url, ca, connections, maxMessageBytes, settings }: ConnectOptions,
  senderOn: (lane: Lane) => Omit<CallTransport<Call, Answer>, "close">,
): CallTransport<Call, Answer> {
  const { origin } = new URL(url);
  const { newConnectionPerCall: reset, ...set } = undiciSettingsWith(settings);
  return callsAndStreams(connections, (most) => {
    const pool = openPool(origin, { ...set, ca, connections: most });
    return { ...senderOn({ origin, pool, reset, maxMessageBytes }), close: () => pool.close() };
  });
}
